import { readFile } from "node:fs/promises";
import pg from "pg";
import { Compile } from "typebox/schema";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { selectDigests, selectTables } from "../../../src/backup/catalog-queries.ts";
import { readStoreShape } from "../../../src/backup/load-store-lines.ts";
import { prepareSession } from "../../../src/backup/row-source.ts";
import { storeFileSchema } from "../../../src/backup/store-file-schema.ts";
import { insertSql, LEFT_OUT, LINE_TYPES, linesSql } from "../../../src/backup/store-lines.ts";
import { checkLogs } from "../../../src/checkpoints/check-logs.ts";
import { createSecretBox } from "../../../src/credentials/secret-box.ts";
import { linkChains } from "../../../src/ledger/chain/link-chains.ts";
import { readLedgerKey } from "../../../src/ledger/key/ledger-key-queries.ts";
import { checkLedger, type LedgerFault } from "../../../src/ledger/verify/check-ledger.ts";
import { ORDER_CHECKS } from "../../../src/orders/order-checks.ts";
import { basic, createClient } from "../../support/client.ts";
import { ODD_NAME } from "../../support/rich-store.ts";
import type { TestService } from "../../support/service.ts";
import { type NewStore, startNewStore, type WrittenStore, writeRichStore } from "../../support/store-file.ts";

let store: WrittenStore;
let target: NewStore;
beforeAll(async () => {
  store = await writeRichStore();
});
afterAll(() => store.remove());
beforeEach(async () => {
  target = await startNewStore();
});
afterEach(() => target.stop());

async function withClient<T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await prepareSession(client);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** By table: how many rows, and a digest of them; of the audit log without what the import itself wrote. */
const digestsOf = (connection: pg.ClientConfig) =>
  withClient(connection, async (client) => {
    await client.query(
      "create temporary view audit_before as select * from audit_entry where action <> 'store.imported'",
    );
    const tables = (await selectTables(client)).filter(({ name }) => LEFT_OUT[name] === undefined);
    const digests = await selectDigests(
      client,
      tables.map((table) => (table.name === "audit_entry" ? { ...table, name: "audit_before" } : table)),
    );
    return new Map(digests.map(({ name, rows, digest }) => [name, `${rows} ${digest}`]));
  });

async function verify({ deps }: TestService) {
  const faults: LedgerFault[] = [];
  const key = await readLedgerKey(deps.db, deps);
  const result = await checkLedger(deps.db, { key, more: ORDER_CHECKS, onFault: (fault) => void faults.push(fault) });
  return { faults: [...faults, ...(await checkLogs(deps, key)).faults], notLinked: result.notLinked };
}

const HOLDS = { faults: [], notLinked: 0 };

describe("a whole store as JSON Lines", () => {
  test("every table is in one of the two lists", async () => {
    const tables = await withClient(target.database.ownerConnection, selectTables);
    const listed = [...LINE_TYPES.map(({ table }) => table), ...Object.keys(LEFT_OUT)];
    expect(listed.toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
    expect(new Set(LINE_TYPES.map(({ type }) => type)).size).toBe(LINE_TYPES.length);
  });

  test("with its secrets: every row of every table arrives as it was, and both stores verify", async () => {
    await target.load(store.place("secrets.jsonl"));
    const [before, after] = [
      await digestsOf(store.source.connection),
      await digestsOf(target.database.ownerConnection),
    ];
    expect(after).toEqual(before);
    const filled = [...before.values()].filter((digest) => !digest.startsWith("0 "));
    expect(filled.length).toBeGreaterThan(35); // of the tables that a day fills
    expect([await verify(store.source), await verify(target.service)]).toEqual([HOLDS, HOLDS]);
  });

  test("goes on: the same credential, the next version, the next checkpoint", async () => {
    await target.load(store.place("secrets.jsonl"));
    const client = createClient(target.service.url, basic(store.source.credential));
    expect((await client.get("/api/storefront/point_balances/c1")).body.data).toEqual(
      (await store.source.client.get("/api/storefront/point_balances/c1")).body.data,
    );
    const { body } = await client.get("/api/storefront/customers/c1/data");
    expect(body.data.customers).toMatchObject([{ name: ODD_NAME, name_reading: "やまだ" }]);
    const posted = await client.post("/api/storefront/point_allotments", { customer_id: "c1", point_value: 1 });
    expect(posted.status).toBe(200);
    expect(await verify(target.service)).toEqual(HOLDS);
  });

  test("without its secrets: the ledger is linked by a key of the new store, subscriptions get new secrets", async () => {
    const text = await readFile(store.place("plain.jsonl"), "utf8");
    expect(text).not.toMatch(
      /sealed|password_hash|secret_sha256|"type":"(credential|api_secret_key|storefront_key|idempotent_response)"/,
    );
    const { newSecrets } = await target.load(store.place("plain.jsonl"));
    expect(newSecrets.map(({ topic }) => topic).toSorted()).toEqual([
      "point_allotment/cascade",
      "point_balance/update",
    ]);
    const differ = new Set([
      "staff",
      "subscription",
      "ledger_key",
      "credential",
      "api_secret_key",
      "storefront_key",
      "idempotency",
      "audit_before",
    ]);
    const same = (digests: ReadonlyMap<string, string>) => [...digests].filter(([name]) => !differ.has(name));
    expect(same(await digestsOf(target.database.ownerConnection))).toEqual(
      same(await digestsOf(store.source.connection)),
    );
    expect((await verify(target.service)).faults).toEqual([]);
    await linkChains(target.service.deps);
    expect(await verify(target.service)).toEqual(HOLDS);
  });

  test("every line fits the JSON Schema that export schema prints, and the schema refuses another", async () => {
    const { columns } = await readStoreShape(target.database.owner);
    const schema = Compile(JSON.parse(JSON.stringify(storeFileSchema(columns))));
    const lines = (await readFile(store.place("secrets.jsonl"), "utf8")).trimEnd().split("\n");
    expect(lines.filter((line) => !schema.Check(JSON.parse(line)))).toEqual([]);
    const lot = JSON.parse(lines.find((line) => line.startsWith('{"type":"lot"')) ?? "");
    expect(schema.Check({ ...lot, data: { ...lot.data, remaining: true } })).toBe(false);
    expect(schema.Check({ ...lot, data: { ...lot.data, other: 1 } })).toBe(false);
  });

  test("a store that is not new is refused", async () => {
    await target.service.client.put("/api/storefront/customers/mine", { name: "M" });
    await expect(target.load(store.place("plain.jsonl"))).rejects.toThrow(/already has customers/);
  });

  test("sealed secrets need their key", async () => {
    await expect(
      target.load(store.place("secrets.jsonl"), { secretBox: createSecretBox("another key, 0123456789 0123456789") }),
    ).rejects.toThrow(/secret key is not the one/);
    await expect(target.load(store.place("plain.jsonl"))).resolves.toMatchObject({ customers: 14 }); // still new
  });

  test("a value of every form comes back as it was", async () => {
    const columns = [
      ...["big bigint", "many bigint[]", "amount numeric", "bytes bytea", "at timestamp with time zone", "day date"],
      ...[
        "doc jsonb",
        "raw json",
        "words text[]",
        "times timestamp with time zone[]",
        "uid uuid",
        "is boolean",
        "n smallint",
      ],
    ].map((text) => ({ name: text.split(" ")[0] ?? "", type: text.split(" ").slice(1).join(" "), isRequired: false }));
    const lineType = { table: "odd", type: "odd", about: "", fields: { n: "other_name" } };
    const quote = (name: string) => `"${name}"`;
    await withClient(target.database.ownerConnection, async (client) => {
      await client.query(
        `create temporary table odd (${columns.map(({ name, type }) => `"${name}" ${type}`).join(", ")})`,
      );
      await client.query(ODD_ROWS);
      const rows = await client.query(linesSql(lineType, columns, quote));
      const lines = rows.rows.map((row) => String(Object.values(row)[0]));
      for (const line of lines) expect(Object.keys(JSON.parse(line).data)).not.toContain("n");
      await client.query("create temporary table before as select * from odd; truncate odd");
      await client.query(insertSql(lineType, columns, quote), [`[${lines.join(",")}]`]);
      const left = "select * from (select o::text from odd o except all select b::text from before b) d";
      const right = "select * from (select b::text from before b except all select o::text from odd o) d";
      expect([(await client.query(left)).rows, (await client.query(right)).rows]).toEqual([[], []]);
      expect((await client.query("select count(*)::integer as n from odd")).rows).toEqual([{ n: 4 }]);
    });
  });
});

const ODD_ROWS = `insert into odd values
  (9223372036854775807, '{1,null,-9223372036854775808}', 123456789012345678901234567890.10, '\\x00ff0a', 'infinity', '2026-02-28',
   'null', '{"b": 1.10,  "a": "x\\ny"}', '{"a\\"b","c,d",null,"null",""}', '{infinity,"2026-01-01 00:00:00.000001+00"}',
   '019c0000-0000-7000-8000-000000000000', true, -1),
  (-9223372036854775808, '{}', 'NaN', '', '-infinity', 'infinity', '{"n": 1.10, "deep": [[[]]], "big": 12345678901234567890}', '[]', '{}',
   '{}', null, false, 32767),
  (9007199254740993, null, 0.00, null, '0001-01-01 00:00:00+00', '0044-03-15 BC', '"text"', 'null', null, null, null, null, null),
  (null, null, null, null, null, null, null, null, null, null, null, null, null)`;
