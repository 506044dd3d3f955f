import type { Exception } from "./source.ts";

/** house.md, Layout: a folder or root file of src may import from lower rows only. Rows from the lowest. */
const ROWS: readonly (readonly string[])[] = [
  ["config", "problems", "deps"],
  ["db"],
  ["http"],
  ["shop", "platforms"],
  ["webhooks"],
  ["ledger"],
  ["customers"],
  ["tiers"],
  ["orders"],
  ["csv", "exports", "allotments", "balances", "coupons", "rewards"],
  ["intake"],
  ["admin"],
  ["app", "jobs"],
  ["main", "cli"],
];

export const LEVELS: ReadonlyMap<string, number> = new Map(
  ROWS.flatMap((row, level) => row.map((name) => [name, level])),
);

/** Which folder of src alone writes a table. A partition belongs to its parent's owner. */
export const TABLE_OWNERS: Readonly<Record<string, string>> = {
  migration: "db",
  idempotency: "http",
  program_version: "shop",
  credential: "shop",
  api_secret_key: "shop",
  sandbox_clock: "shop",
  shop: "webhooks",
  subscription: "webhooks",
  outbox_event: "webhooks",
  delivery: "webhooks",
  attempt: "webhooks",
  balance: "ledger",
  allotment: "ledger",
  allotment_note: "ledger",
  lot: "ledger",
  draw: "ledger",
  ledger_mark: "ledger",
  bookmark: "allotments",
  customer: "customers",
  customer_alias: "customers",
};

/** Rows that say what points there are: written by ledger/post-allotments and the modules that only it uses. */
export const POINT_TABLES: readonly string[] = ["allotment", "lot", "draw"];

/** Folders that a list names one by one: each file (or folder) has one import in the list, and each import its file. */
export const REGISTERS: readonly {
  readonly list: string;
  readonly folder: string;
  readonly entries: "files" | "folders";
}[] = [
  { list: "src/webhooks/topics/index.ts", folder: "src/webhooks/topics", entries: "files" },
  { list: "src/orders/earning-rules/index.ts", folder: "src/orders/earning-rules", entries: "files" },
  { list: "src/platforms/index.ts", folder: "src/platforms", entries: "folders" },
];

/** What may be done and why; each is counted by `npm run check`. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    rule: "class",
    path: "src/platforms/json-source.ts",
    reason: "the digits of a number need a mark that no member of a body can imitate: instanceof",
  },
  {
    rule: "machine-clock",
    path: "src/db/migrate.ts",
    reason: "when a migration ran on this machine is no business time",
  },
  {
    rule: "machine-clock",
    path: "migrations/0003_webhooks.sql",
    reason: "the log of attempts is pruned by machine days; no customer sees these columns",
  },
  {
    rule: "noun-purity",
    path: "src/shop/secret-box.ts",
    reason: "each sealed text needs a nonce of its own; made once at the start and handed on in deps",
  },
  {
    rule: "noun-purity",
    path: "src/shop/read-secret-key.ts",
    reason: "runs before there are deps: reads or makes the key's file in the data folder",
  },
  {
    rule: "noun-purity",
    path: "src/shop/program-cache.ts",
    reason: "a cache of versions, which never change once they are written",
  },
  {
    rule: "noun-purity",
    path: "src/webhooks/bearer-token.ts",
    reason: "jose signs asynchronously; the key, the time and the id are arguments",
  },
  {
    rule: "noun-purity",
    path: "src/webhooks/resolve-callback.ts",
    reason: "the DNS resolver of the address guard, made once at the start",
  },
];
