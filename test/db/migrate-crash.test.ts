import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { migrate } from "../../src/db/migrate.ts";
import { MIGRATIONS_DIR, readMigrations } from "../../src/db/migration-files.ts";
import { createEmptyDatabase, type EmptyDatabase } from "../support/database.ts";
import { waitUntil } from "../support/wait-until.ts";

// The migrations of this release, each killed in its middle: what it leaves, and that the next start completes it.

const BEFORE = 74;

let database: EmptyDatabase;
let dir: string;
/** Looks, and kills; the other one holds up. */
let looker: pg.Client;
let other: pg.Client;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "pointkeeper-migrations-"));
});
afterAll(() => rm(dir, { recursive: true }));

beforeEach(async () => {
  await rm(dir, { recursive: true });
  await cp(MIGRATIONS_DIR, dir, {
    recursive: true,
    filter: (path) => path === MIGRATIONS_DIR || Number(basename(path).slice(0, 4)) <= BEFORE,
  });
  database = await createEmptyDatabase();
  await migrate(database.connection, { dir });
  looker = new pg.Client(database.connection);
  other = new pg.Client(database.connection);
  for (const client of [looker, other]) await client.connect();
  await looker.query(MOVED);
});
afterEach(async () => {
  for (const client of [looker, other]) await client.end();
  await database.drop();
});

/** Two customers who moved between tiers, as the release before counted them: one of them twice. */
const MOVED = `
insert into growth_customer (bucket, customer_uid, joined, orders, tier_uid, moves)
select n, '00000000-0000-0000-0000-000000000000', 24300, 0, '00000000-0000-0000-0000-000000000000', moves
from (values
  (1, '24310:00000000-0000-0000-0000-00000000000a>00000000-0000-0000-0000-00000000000b'),
  (2, '24311:00000000-0000-0000-0000-00000000000a>00000000-0000-0000-0000-00000000000b 24315:00000000-0000-0000-0000-00000000000b>00000000-0000-0000-0000-00000000000a'))
  as m (n, moves);
insert into growth_moved (month, from_uid, to_uid, bucket, customer_uid)
select split_part(part, ':', 1)::integer,
  split_part(split_part(part, ':', 2), '>', 1)::uuid,
  split_part(part, '>', 2)::uuid,
  bucket,
  customer_uid
from growth_customer
cross join lateral string_to_table(moves, ' ') as p (part)`;

const SCHEMA = `
select c.relname || ' ' || k.conname || ' ' || pg_get_constraintdef(k.oid) || k.convalidated as line
from pg_constraint k
join pg_class c on c.oid = k.conrelid
where c.relnamespace = current_schema()::regnamespace
union all
select c.relname || '.' || a.attname
from pg_attribute a
join pg_class c on c.oid = a.attrelid
where c.relnamespace = current_schema()::regnamespace
  and c.relkind = 'r'
  and a.attnum > 0
  and not a.attisdropped
order by 1`;
const MIGRATING = `
select pid
from pg_stat_activity
where datname = current_database()
  and pid <> pg_backend_pid()
  and wait_event_type = 'Lock'`;

const lines = async (text: string): Promise<unknown[]> => (await looker.query(text)).rows;
const applied = async () => (await looker.query("select max(number) as number from migration")).rows[0].number;
const indexes = () =>
  lines(`select c.relname as name, i.indisvalid as valid
from pg_index i
join pg_class c on c.oid = i.indexrelid
where c.relname in ('growth_moved_stay', 'growth_customer_stay')
order by 1`);

async function bring(...numbers: readonly number[]): Promise<void> {
  for (const { number, name } of await readMigrations(MIGRATIONS_DIR))
    if (numbers.includes(number)) await cp(join(MIGRATIONS_DIR, name), join(dir, name));
}

/** Migrates while the other session holds something up, and kills the session that migrates as soon as it waits for that. */
async function kill(): Promise<void> {
  const killed = migrate(database.connection, { dir }).then(
    () => "migrated",
    (error: unknown) => String(error),
  );
  await waitUntil(async () => (await looker.query(MIGRATING)).rowCount === 1);
  await looker.query(`select pg_terminate_backend(pid) from (${MIGRATING}) m`);
  expect(await killed).toContain("failed");
  await other.query("rollback");
}

describe("a migration that is killed in its middle", () => {
  test.for([
    [75, "growth_customer"], // the column is there already, its values are not
    [76, "adjustment_request"],
  ] as const)("leaves nothing, and is applied by the next start: %d", async ([number, table]) => {
    if (number === 76) {
      await bring(75);
      await migrate(database.connection, { dir });
    }
    const before = await lines(SCHEMA);
    await bring(number);
    await other.query(`begin; lock table ${table} in access exclusive mode`);
    await kill();
    expect(await lines(SCHEMA)).toEqual(before);
    expect(await applied()).toBe(number - 1);
    expect(await migrate(database.connection, { dir })).toBe(1);
    expect(await lines(SCHEMA)).not.toEqual(before);
    expect(await lines("select conname from pg_constraint where not convalidated")).toEqual([]);
    expect(await lines("select bucket, month, since from growth_moved order by bucket, month")).toEqual([
      { bucket: 1, month: 24310, since: 24300 },
      { bucket: 2, month: 24311, since: 24300 },
      { bucket: 2, month: 24315, since: 24311 },
    ]);
  });

  test("leaves an index that is not valid where it makes it concurrently, and the next start makes it again", async () => {
    await bring(75, 76);
    await migrate(database.connection, { dir });
    await bring(77);
    await other.query("begin isolation level repeatable read; select count(*) from growth_moved");
    await kill();
    expect(await indexes()).toEqual([{ name: "growth_moved_stay", valid: false }]);
    expect(await applied()).toBe(76);
    expect(await migrate(database.connection, { dir })).toBe(1);
    expect(await indexes()).toEqual([
      { name: "growth_customer_stay", valid: true },
      { name: "growth_moved_stay", valid: true },
    ]);
  });
});
