import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { distribute, planDistribution } from "../../src/db/citus/distribute.ts";
import {
  COORDINATOR_TABLES,
  DISTRIBUTED_TABLES,
  DISTRIBUTION_COLUMN,
  WIDENED_KEYS,
} from "../../src/db/citus/distributed-tables.ts";
import { CITUS_TEXTS } from "../../src/db/citus/read-migration-text.ts";
import { MIGRATIONS_DIR } from "../../src/db/migration-files.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

// What Citus refuses, held where no Citus is: by the catalogue of a plain PostgreSQL and by the statements of the service.

const SRC = join(import.meta.dirname, "../../src");
const TABLES = DISTRIBUTED_TABLES.join("|");

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

/** Rows of a query on the catalogue over the distributed tables, each as one text. */
async function found(text: string): Promise<string[]> {
  const rows = await database.db.query<{ found: string }>(text, [DISTRIBUTED_TABLES]);
  return rows.map((row) => row.found);
}

test("every distributed table is there and has the distribution column, never null", async () => {
  const tables = await found(`
    select c.relname as found
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    where c.relname = any($1::text[])
      and a.attname = '${DISTRIBUTION_COLUMN}'
      and a.attnotnull
      and a.atttypid = 'smallint'::regtype
    order by c.relname`);
  expect(tables).toEqual([...DISTRIBUTED_TABLES].sort());
});

test("every table with a bucket is distributed, or stays on the coordinator for a reason", async () => {
  const tables = await database.db.query<{ name: string }>(`
    select c.relname as name
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    where c.relkind in ('r', 'p')
      and c.relnamespace = current_schema()::regnamespace
      and not c.relispartition
      and a.attname = '${DISTRIBUTION_COLUMN}'
      and not a.attisdropped`);
  const known = [...DISTRIBUTED_TABLES, ...Object.values(COORDINATOR_TABLES).flat()];
  expect([...known].sort()).toEqual([...tables.map(({ name }) => name)].sort());
});

test("what a Citus is told instead of a migration's text is told of a text that is there once", async () => {
  for (const [name, { refused }] of Object.entries(CITUS_TEXTS))
    expect((await readFile(join(MIGRATIONS_DIR, name), "utf8")).split(refused), name).toHaveLength(2);
});

test("what stays on the coordinator for its triggers has some", async () => {
  const tables = await database.db.query<{ name: string }>(
    `
    select distinct tgrelid::regclass::text as name
    from pg_trigger
    where not tgisinternal
      and tgrelid::regclass::text = any($1::text[])`,
    [[...COORDINATOR_TABLES.triggers]],
  );
  expect(tables.map(({ name }) => name).sort()).toEqual([...COORDINATOR_TABLES.triggers].sort());
});

test("every unique key of a distributed table has the distribution column, or is put in the place of one that has", async () => {
  const narrow = await found(`
    select k.relname as found
    from pg_index i
    join pg_class k on k.oid = i.indexrelid
    join pg_class c on c.oid = i.indrelid
    where c.relname = any($1::text[])
      and i.indisunique
      and not exists (
        select
        from pg_attribute a
        where a.attrelid = c.oid
          and a.attnum = any(i.indkey)
          and a.attname = '${DISTRIBUTION_COLUMN}')
    order by k.relname`);
  expect(narrow).toEqual(WIDENED_KEYS.map(({ index }) => index).sort());
});

test("a widened key is the plain one with the distribution column behind", async () => {
  const plain = await database.db.query<{ name: string; definition: string }>(
    "select indexname as name, indexdef as definition from pg_indexes where indexname = any($1::text[])",
    [WIDENED_KEYS.map(({ index }) => index)],
  );
  const definitionOf = new Map(plain.map(({ name, definition }) => [name, definition]));
  await expect(
    database.owner.tx(async (tx) => {
      for (const { index, definition } of WIDENED_KEYS) {
        await tx.execute(`drop index ${index}`);
        await tx.execute(definition);
        const [row] = await tx.query<{ definition: string }>(
          "select indexdef as definition from pg_indexes where indexname = $1",
          [index],
        );
        const widened = definitionOf
          .get(index)
          ?.replace(/USING btree \((\w+)\)/, `USING btree ($1, ${DISTRIBUTION_COLUMN})`);
        expect(row?.definition).toBe(widened);
      }
      throw new Error("rolled back");
    }),
  ).rejects.toThrow("rolled back");
});

test("no distributed table has a foreign key, points of one, a trigger, an identity or a sequence", async () => {
  const constraints = await found(`
    select conname as found
    from pg_constraint
    where contype = 'f'
      and (conrelid::regclass::text = any($1::text[]) or confrelid::regclass::text = any($1::text[]))
    union all
    select tgname
    from pg_trigger
    where tgrelid::regclass::text = any($1::text[])
      and not tgisinternal
    union all
    select attrelid::regclass || '.' || attname
    from pg_attribute
    where attrelid::regclass::text = any($1::text[])
      and attnum > 0
      and (attidentity <> '' or attgenerated <> '')
    union all
    select d.adrelid::regclass || ' has the default ' || pg_get_expr(d.adbin, d.adrelid)
    from pg_attrdef d
    where d.adrelid::regclass::text = any($1::text[])
      and pg_get_expr(d.adbin, d.adrelid) like '%nextval%'`);
  expect(constraints).toEqual([]);
});

/** The SQL texts of the service: what stands in backquotes and begins a statement. */
async function statements(): Promise<{ readonly file: string; readonly text: string }[]> {
  const names = (await readdir(SRC, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const files = await Promise.all(names.map(async (file) => ({ file, text: await readFile(join(SRC, file), "utf8") })));
  return files.flatMap(({ file, text }) =>
    [...text.matchAll(/`([^`]*\b(?:select|insert|update|delete|with)\b[^`]*)`/g)].map((match) => ({
      file,
      text: match[1] ?? "",
    })),
  );
}

/** Statements that Citus refuses. Each has another one beside it for a distributed store; `open`: not yet, docs/citus.md says so. */
const REFUSED = {
  lock: ["ledger/balance-queries.ts", "ledger/balance-queries.ts", "orders/coupons/coupon-use-queries.ts"],
  move: ["ledger/merge/merge-queries.ts"],
  columnless: ["ledger/settled-mark/advance-settled-mark.ts"],
  open: ["platform-sync/shopify/change-queries.ts"],
};

test("rows of distributed tables are locked, and moved to another bucket, by statements that are known", async () => {
  const all = (await statements()).filter(({ file }) => !file.startsWith("db/citus/"));
  const locks = all.filter(
    ({ text }) =>
      /\bfor (?:no key )?(?:update|share)\b/.test(text) && new RegExp(`\\b(?:from|join) (?:${TABLES})\\b`).test(text),
  );
  const moves = all.filter(({ text }) => new RegExp(`\\bupdate (?:${TABLES})\\b[^;]*\\bset bucket =`).test(text));
  expect(locks.map(({ file }) => file).sort()).toEqual([...REFUSED.lock, ...REFUSED.open]);
  expect(moves.map(({ file }) => file)).toEqual(REFUSED.move);
});

test("a subquery of its own, which Citus brings to the coordinator, has a column", async () => {
  const columnless = new RegExp(`\\bexists \\(\\s*select\\s+from (?:${TABLES})\\b[^.)]*\\)`);
  expect((await statements()).filter(({ text }) => columnless.test(text)).map(({ file }) => file)).toEqual([]);
});

test("nor does a part without a column stand in a statement that reads a distributed table", async () => {
  const reads = new RegExp(`\\b(?:from|join) (?:${TABLES})\\b`);
  const columnless = /\bexists \(\s*select\s+from \w+(?: \w+)?\s*\)/;
  const refused = (await statements()).filter(({ text }) => reads.test(text) && columnless.test(text));
  expect(refused.map(({ file }) => file)).toEqual(REFUSED.columnless);
});

test("a plain PostgreSQL refuses to be distributed, in words, and stays as it is", async () => {
  const refusal = /plain PostgreSQL: there is nothing to distribute over/;
  await expect(planDistribution(database.connection)).rejects.toThrow(refusal);
  await expect(distribute(database.connection)).rejects.toThrow(refusal);
  expect(await database.db.isDistributed()).toBe(false);
});
