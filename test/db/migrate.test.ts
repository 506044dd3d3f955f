import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { applyInTransaction, migrate } from "../../src/db/migrate.ts";
import { MigrationError } from "../../src/db/migration-files.ts";
import { createLog } from "../../src/log.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { waitUntil } from "../support/wait-until.ts";

let database: TestDatabase;
let dir: string;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

beforeEach(async () => {
  await database.owner.execute("drop schema public cascade");
  await database.owner.execute("create schema public");
  dir = await mkdtemp(join(tmpdir(), "pointkeeper-migrations-"));
  await writeFile(join(dir, "0001_shelf.sql"), "create table shelf (n integer);\ninsert into shelf values (1);\n");
  return () => rm(dir, { recursive: true });
});

const run = () => migrate(database.ownerConnection, { dir });

async function refusal(): Promise<string> {
  const error = await run().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MigrationError);
  return String(error);
}

test("a new database is one line of the log, and later each migration is one", async () => {
  const lines: string[] = [];
  const log = createLog({ level: "info", pretty: false, write: (line) => void lines.push(line) });
  const said = () => lines.splice(0).map((line) => JSON.parse(line));
  await writeFile(join(dir, "0002_more.sql"), "insert into shelf values (2);");
  await migrate(database.ownerConnection, { dir, log });
  expect(said()).toMatchObject([{ message: "the schema was created", migrations: 2, newest: "0002_more.sql" }]);
  await writeFile(join(dir, "0003_more.sql"), "insert into shelf values (3);");
  await writeFile(join(dir, "0004_more.sql"), "insert into shelf values (4);");
  await migrate(database.ownerConnection, { dir, log });
  expect(said()).toMatchObject([
    { message: "migration applied", migration: "0003_more.sql" },
    { message: "migration applied", migration: "0004_more.sql" },
  ]);
});

test("a PostgreSQL before 15 is refused", async () => {
  await database.owner.execute("create schema older");
  await database.owner.execute(
    "create function older.current_setting(text) returns text immutable return case $1 when 'server_version_num' then '140020' else '14.20' end",
  );
  const older = { ...database.ownerConnection, options: "-c search_path=older,pg_catalog,public" };
  const says = new MigrationError("Pointkeeper needs PostgreSQL 15 or later; this server is 14.20.");
  await expect(migrate(older, { dir })).rejects.toThrow(says);
  const client = new pg.Client(older); // as restore and move make the schema
  await client.connect();
  await expect(applyInTransaction(client, [])).rejects.toThrow(says);
  await client.end();
  expect(await database.owner.query("select to_regclass('migration') as made")).toEqual([{ made: null }]);
  await database.owner.execute("drop schema older cascade");
});

test("nodes that start at once apply each migration once", async () => {
  await writeFile(join(dir, "0002_more.sql"), "insert into shelf values (2);");
  const counts = await Promise.all([run(), run(), run(), run()]);
  expect(counts.toSorted()).toEqual([0, 0, 0, 2]);
  expect(await database.owner.query("select n from shelf order by n")).toEqual([{ n: 1 }, { n: 2 }]);
  expect(await database.owner.query("select number, name from migration order by number")).toEqual([
    { number: 1, name: "0001_shelf.sql" },
    { number: 2, name: "0002_more.sql" },
  ]);
});

test("only what is new is applied", async () => {
  expect(await run()).toBe(1);
  await writeFile(join(dir, "0002_more.sql"), "insert into shelf values (2);");
  expect(await run()).toBe(1);
  expect(await run()).toBe(0);
});

test("one that fails leaves nothing of itself, and those before it stay", async () => {
  await writeFile(join(dir, "0002_bad.sql"), "insert into shelf values (2); select 1 / 0;");
  expect(await refusal()).toContain("0002_bad.sql failed: division by zero");
  expect(await database.owner.query("select n from shelf")).toEqual([{ n: 1 }]);
  expect(await database.owner.query("select number from migration")).toEqual([{ number: 1 }]);
});

describe("a database of a newer version", () => {
  const later = async (...names: string[]) => {
    for (const name of names) await writeFile(join(dir, name), "insert into shelf values (2);");
    await run();
    for (const name of names) await rm(join(dir, name));
  };

  test("that only expanded the schema is served", async () => {
    await later("0002_more.sql");
    expect(await run()).toBe(0);
    await writeFile(join(dir, "0001_shelf.sql"), "create table other (n integer);");
    expect(await refusal()).toContain("0001_shelf.sql was changed");
  });

  test("that contracted it is refused", async () => {
    await later("0002_contracts_shelf.sql", "0003_more.sql");
    expect(await refusal()).toContain("newer Pointkeeper");
  });

  test("that lacks a migration of this one is refused", async () => {
    await later("0003_more.sql");
    await writeFile(join(dir, "0002_own.sql"), "insert into shelf values (3);");
    expect(await refusal()).toContain("newer Pointkeeper");
  });
});

test("an applied file that was changed is refused", async () => {
  await run();
  await writeFile(join(dir, "0001_shelf.sql"), "create table other (n integer);");
  expect(await refusal()).toContain("0001_shelf.sql was changed");
});

test("one that comes too late in the order is refused", async () => {
  await rm(join(dir, "0001_shelf.sql"));
  await writeFile(join(dir, "0002_first.sql"), "create table first (n integer);");
  await run();
  await writeFile(join(dir, "0001_late.sql"), "create table late (n integer);");
  expect(await refusal()).toContain("0001_late.sql comes before");
});

test("two of one number, and names out of the order, are refused", async () => {
  await writeFile(join(dir, "0001_twin.sql"), "select 1;");
  expect(await refusal()).toContain("has the number of another one");
  await rm(join(dir, "0001_twin.sql"));
  await writeFile(join(dir, "2_short.sql"), "select 1;");
  expect(await refusal()).toContain("is not named like");
});

describe("locks", () => {
  let other: pg.Client;
  let otherPid: number;
  let lines: string[];

  beforeEach(async () => {
    await run();
    await writeFile(join(dir, "0002_wider.sql"), WIDER);
    other = new pg.Client({ ...database.ownerConnection, application_name: "a report" });
    await other.connect();
    otherPid = (await other.query("select pg_backend_pid() as pid")).rows[0].pid;
    lines = [];
    return () => other.end();
  });

  const WIDER = "alter table shelf add column m integer;\n";
  const WAITING = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  const log = () => createLog({ level: "info", pretty: false, write: (line) => void lines.push(line) });
  const hold = async () => {
    await other.query("begin");
    await other.query("select n from shelf");
  };

  test("one that never comes ends the migration, which says whose it is, and holds nobody else up for long", async () => {
    await hold();
    const migrating = migrate(database.ownerConnection, { dir, log: log(), lockTimeoutMs: 200, tries: 3 });
    const reason = String(
      await migrating.then(
        () => "migrated",
        (error: unknown) => error,
      ),
    );
    expect(reason).toMatch(/^MigrationError: The migration 0002_wider\.sql was not applied: in 3 tries of 0\.2 s/);
    expect(reason).toContain(`process ${otherPid} (idle in transaction`);
    expect(reason).toContain("select n from shelf");
    await other.query("commit");
    expect(await database.owner.query("select number from migration")).toEqual([{ number: 1 }]);
    expect(await run()).toBe(1);
  });

  test("that comes later lets it go on: while it waits it names the session", async () => {
    await hold();
    const migrating = migrate(database.ownerConnection, { dir, log: log(), lockTimeoutMs: 200, tries: 1_000 });
    const seen = () => lines.find((line) => line.includes("waits for other sessions")) ?? "";
    await waitUntil(() => seen() !== "" && lines.some((line) => line.includes("tries again")));
    await other.query("commit");
    expect(await migrating).toBe(1);
    expect(JSON.parse(seen())).toMatchObject({
      message: "a migration waits for other sessions",
      waitsFor: [{ pid: otherPid, application: "a report", query: "select n from shelf" }],
    });
  });

  test("that two wait for in turn ends the try, not the migration", async () => {
    await database.owner.execute("create table rack (n integer)");
    await writeFile(join(dir, "0002_wider.sql"), `${WIDER}alter table rack add column m integer;\n`);
    await other.query("set deadlock_timeout = '60s'"); // so that it is the migration that PostgreSQL ends
    await other.query("begin; lock table rack");
    const migrating = migrate(database.ownerConnection, { dir, log: log(), lockTimeoutMs: 2_000 });
    await waitUntil(async () => (await database.owner.query(WAITING)).length === 1);
    await other.query("lock table shelf");
    await other.query("commit");
    expect(await migrating).toBe(1);
    expect(lines.find((line) => line.includes("tries again"))).toContain(`"pid":${otherPid}`);
  });

  test("of another node that migrates is waited for, and told", async () => {
    await other.query("select pg_advisory_lock(7065734, 3)");
    const settings = { dir, log: log(), lockTimeoutMs: 100 };
    await expect(migrate(database.ownerConnection, { ...settings, otherNodeMs: 300 })).rejects.toThrow(
      new RegExp(`^Another node has been migrating this database for 0\\.3 s, .*: process ${otherPid} `),
    );
    const migrating = migrate(database.ownerConnection, settings);
    lines.length = 0;
    await waitUntil(() => lines.some((line) => line.includes("another node migrates this database")));
    await other.query("select pg_advisory_unlock_all()");
    expect(await migrating).toBe(1);
  });
});

describe("a migration outside a transaction", () => {
  const INDEX = `-- outside a transaction
-- a comment; of two parts
drop index concurrently if exists shelf_n;
create index concurrently shelf_n on shelf (n); -- for the list
`;
  const index = () =>
    database.owner.query(
      "select i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid where c.relname = 'shelf_n'",
    );

  test("makes an index while others write, and is applied once", async () => {
    await run();
    await writeFile(join(dir, "0002_index.sql"), INDEX);
    expect(await run()).toBe(1);
    expect(await index()).toEqual([{ valid: true }]);
    expect(await run()).toBe(0);
  });

  test("is made by one of several nodes that start at once: none of the others keeps it from it", async () => {
    await run();
    await writeFile(join(dir, "0002_slow.sql"), "select pg_sleep(0.5);"); // the others wait by now
    await writeFile(join(dir, "0003_index.sql"), INDEX);
    const counts = await Promise.all([run(), run(), run(), run()]);
    expect(counts.toSorted()).toEqual([0, 0, 0, 2]);
    expect(await index()).toEqual([{ valid: true }]);
  });

  test("begins again where it failed half-way, and is not applied before it is done", async () => {
    await run();
    await database.owner.execute("insert into shelf values (7), (7)");
    await writeFile(join(dir, "0002_index.sql"), INDEX.replace("create index", "create unique index"));
    expect(await refusal()).toContain("0002_index.sql failed: could not create unique index");
    expect(await index()).toEqual([{ valid: false }]);
    expect(await database.owner.query("select number from migration")).toEqual([{ number: 1 }]);
    await database.owner.execute("delete from shelf where n = 7");
    expect(await run()).toBe(1);
    expect(await index()).toEqual([{ valid: true }]);
  });

  test("waits longer than the lock timeout for a transaction that began before it", async () => {
    await run();
    await writeFile(join(dir, "0002_index.sql"), INDEX);
    const other = new pg.Client(database.ownerConnection);
    await other.connect();
    await other.query("begin isolation level repeatable read; select n from shelf");
    const migrating = migrate(database.ownerConnection, { dir, lockTimeoutMs: 100, tries: 2 });
    await database.owner.execute("insert into shelf values (3)"); // nobody waits for it meanwhile
    const waits = `select from pg_stat_activity
      where datname = current_database()
        and wait_event_type = 'Lock'
        and clock_timestamp() - query_start > interval '300 ms'`;
    await waitUntil(async () => (await database.owner.query(waits)).length === 1); // three times the lock timeout
    await other.query("commit");
    expect(await migrating).toBe(1);
    await other.end();
  });

  test("that waits in vain ends before another node, which waits for it, gives up: each says what it waited for", async () => {
    await run();
    await writeFile(join(dir, "0002_index.sql"), INDEX);
    const other = new pg.Client(database.ownerConnection);
    await other.connect();
    const { pid } = (await other.query("select pg_backend_pid() as pid")).rows[0];
    await other.query("begin isolation level repeatable read; select n from shelf");
    const settings = { dir, lockTimeoutMs: 100, concurrentLockMs: 600, tries: 2 };
    const node = () => migrate(database.ownerConnection, settings).then(() => "migrated", String);
    for (const reason of await Promise.all([node(), node()])) {
      expect(reason).toContain("The migration 0002_index.sql was not applied: in 2 tries of 0.6 s");
      expect(reason).toContain(`process ${pid} (idle in transaction`);
    }
    await other.query("commit");
    expect(await run()).toBe(1);
    expect(await index()).toEqual([{ valid: true }]);
    await other.end();
  });
});
