import type { Exception } from "./source.ts";

/** ARCHITECTURE.md, Layout: a folder or root file of src may import from lower rows only. Rows from the lowest. */
const ROWS: readonly (readonly string[])[] = [
  ["wire"],
  ["environment", "problems", "json-scan"],
  ["platforms"],
  ["config", "deps", "clock", "log", "random", "actor"],
  ["time"],
  ["db"],
  ["http"],
  ["audit"],
  ["credentials", "program"],
  ["staff"],
  ["sandbox"],
  ["webhooks"],
  ["ledger"],
  ["customers"],
  ["tiers"],
  ["orders"],
  ["allowance"],
  ["metrics", "imports", "exports", "points", "coupons", "rewards"],
  ["privacy"],
  ["intake"],
  ["shopify-sync"],
  ["explain"],
  ["adjustments"],
  ["admin"],
  ["app", "jobs"],
  ["create-deps"],
  ["start"],
  ["commands"],
  ["main", "cli"],
];

export const LEVELS: ReadonlyMap<string, number> = new Map(
  ROWS.flatMap((row, level) => row.map((name) => [name, level])),
);

/** Which folder of src alone writes a table. A partition belongs to its parent's owner. */
export const TABLE_OWNERS: Readonly<Record<string, string>> = {
  migration: "db",
  node_beat: "db",
  idempotency: "http",
  adjustment_request: "adjustments",
  staff_movement: "allowance",
  audit_entry: "audit",
  staff: "staff",
  staff_session: "staff",
  sign_in_failure: "staff",
  staff_link: "staff",
  staff_device: "staff",
  access_change: "staff",
  access_notice_read: "staff",
  setup_code: "staff",
  program_version: "program",
  credential: "credentials",
  api_secret_key: "credentials",
  api_auth_failure: "credentials",
  sandbox_clock: "sandbox",
  shop: "webhooks",
  subscription: "webhooks",
  outbox_event: "webhooks",
  event_batch: "webhooks",
  delivery: "webhooks",
  acknowledgement: "webhooks",
  attempt: "webhooks",
  balance: "ledger",
  allotment: "ledger",
  counted_source: "ledger",
  allotment_note: "ledger",
  lot: "ledger",
  draw: "ledger",
  reservation: "ledger",
  settled_debt: "ledger",
  ledger_mark: "ledger",
  bookmark: "points",
  allotment_block: "explain",
  customer: "customers",
  customer_alias: "customers",
  order_review: "customers",
  tag_statement: "customers",
  customer_tier: "tiers",
  tier_change: "tiers",
  tier_standing: "tiers",
  designation: "tiers",
  order_spend: "orders",
  export: "exports",
  export_piece: "exports",
  import: "imports",
  import_piece: "imports",
  import_row: "imports",
  import_profile: "imports",
  import_fault: "imports",
  import_step: "imports",
  import_change: "imports",
  receipt: "intake",
  receipt_warning: "intake",
  intake_pace: "intake",
  privacy_request: "privacy",
  store_order: "orders",
  order_posting: "orders",
  product: "orders",
  program_review: "orders",
  birthday_reward: "rewards",
  birthday_run: "rewards",
  coupon: "coupons",
  coupon_use: "orders",
  staff_task: "orders",
  coupon_creation: "shopify-sync",
  coupon_removal: "shopify-sync",
  platform_mark: "shopify-sync",
  platform_feed: "shopify-sync",
  platform_trigger: "shopify-sync",
  platform_customer: "shopify-sync",
  figure_book: "metrics",
  figure_day: "metrics",
  figure_standing: "metrics",
  figure_customer: "metrics",
  figure_active: "metrics",
  figure_large: "metrics",
  figure_expiry: "metrics",
  figure_count: "metrics",
  job: "jobs",
  job_run: "jobs",
  job_plan: "jobs",
  job_request: "admin",
  setup_step: "admin",
};

/** Tables that no migration makes: that of the migrations, and what --distribute adds on a Citus. */
export const TABLES_OF_CODE: readonly string[] = ["migration", "counted_source"];

/** Rows that say what points there are: written by ledger/change-balances and the modules that only it uses. */
export const POINT_TABLES: readonly string[] = ["allotment", "lot", "draw"];

/** Folders that a list names one by one: each file (or folder) has one import in the list, and each import its file. */
export const COMPLETE_LISTS: readonly {
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
    rule: "table-owner",
    path: "src/db/citus/routing-schema.ts",
    reason: "the copy of the sources at --distribute, and a write of no rows that makes Citus prepare",
  },
  {
    rule: "machine-clock",
    path: "src/admin/home/queries.ts",
    reason: "whether a job is late or its process died is about machines, not the store's time",
  },
  {
    rule: "noun-purity",
    path: "src/actor.ts",
    reason: "who acts follows the asynchronous calls of a request: that is what AsyncLocalStorage is",
  },
  {
    rule: "machine-clock",
    path: "migrations/0013_staff.sql",
    reason: "when an entry was written on this machine stands beside the business time",
  },
  {
    rule: "noun-purity",
    path: "src/staff/derive-hash.ts",
    reason: "the hashes of a process take turns, whoever asks for them: what would be its deps is the process",
  },
  {
    rule: "incomplete-list",
    path: "src/jobs/schedule.ts",
    reason: "http is machinery and has no verbs by name; pruning idempotency keys is its one chore",
  },
  {
    rule: "machine-clock",
    path: "src/admin/jobs/queries.ts",
    reason: "how long a run took, when its pause ends and when a run was asked for are about machines",
  },
  {
    rule: "machine-clock",
    path: "src/commands/doctor-database.ts",
    reason: "whether the clocks of two machines agree is what is asked",
  },
  {
    rule: "machine-clock",
    path: "src/commands/doctor-store.ts",
    reason: "whether a worker lives and a delivery is late is about machines",
  },
  {
    rule: "machine-clock",
    path: "src/commands/tail-queries.ts",
    reason: "how far rows have settled is about transactions, not the store's time",
  },
  {
    rule: "machine-clock",
    path: "src/jobs/job-queries.ts",
    reason: "leases, pauses and lengths of runs are about machines; what is due comes from the clock",
  },
  {
    rule: "noun-purity",
    path: "src/points/posted-view.ts",
    reason: "a refusal is rendered as the error handler renders it, which also knows database errors",
  },
  {
    rule: "machine-clock",
    path: "src/intake/receipt-queries.ts",
    reason: "leases and retries of receipts are about crashes, not the store's time",
  },
  {
    rule: "machine-clock",
    path: "src/intake/read-backlog.ts",
    reason: "how long receipts have waited and how fast they are processed is about machines",
  },
  {
    rule: "machine-clock",
    path: "src/intake/record-pace.ts",
    reason: "how fast a worker is by the machine's minutes",
  },
  {
    rule: "machine-clock",
    path: "migrations/0005_intake.sql",
    reason: "when a receipt came in on this machine; bodies are dropped by machine days",
  },
  {
    rule: "machine-clock",
    path: "src/webhooks/prune-webhook-log.ts",
    reason: "the log of attempts is pruned by machine days",
  },
  {
    rule: "noun-purity",
    path: "src/ledger/posting-queue.ts",
    reason: "the queue is the one piece of the ledger with a state in memory: what waits for its batch",
  },
  {
    rule: "noun-calls-verb",
    path: "src/ledger/posting-queue.ts",
    reason: "it runs its batches",
  },
  {
    rule: "machine-clock",
    path: "src/db/replica.ts",
    reason: "which processes are gone is about machines; what a replica has is told by a process's own clock",
  },
  {
    rule: "machine-clock",
    path: "src/db/lease.ts",
    reason: "leases are about crashes, not the store's time",
  },
  {
    rule: "class",
    path: "src/platforms/json-source.ts",
    reason: "the digits of a number need a mark that no field of a body can imitate: instanceof",
  },
  {
    rule: "machine-clock",
    path: "src/metrics/customer-queries.ts",
    reason: "the pause after a look at a large balance is about the machine's work, not the store's time",
  },
  {
    rule: "machine-clock",
    path: "src/db/watch-blockers.ts",
    reason: "how long another session's transaction has been open is about machines",
  },
  {
    rule: "machine-clock",
    path: "src/db/migrate.ts",
    reason: "when a migration ran on this machine is no business time",
  },
  {
    rule: "machine-clock",
    path: "migrations/0039_event_batches.sql",
    reason: "the log of attempts is pruned by machine days; no customer sees these columns",
  },
  {
    rule: "machine-clock",
    path: "migrations/0003_webhooks.sql",
    reason: "the log of attempts is pruned by machine days; no customer sees these columns",
  },
  {
    rule: "noun-purity",
    path: "src/credentials/secret-box.ts",
    reason: "each sealed text needs a nonce of its own; made once at the start and handed on in deps",
  },
  {
    rule: "noun-purity",
    path: "src/credentials/secret-key-file.ts",
    reason: "runs before there are deps: reads and writes the key's file in the data folder",
  },
  {
    rule: "noun-purity",
    path: "src/program/program-cache.ts",
    reason: "a cache of versions, which never change once they are written",
  },
];
