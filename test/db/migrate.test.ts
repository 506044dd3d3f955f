import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { migrate } from "../../src/db/migrate.ts";
import { MigrationError } from "../../src/db/migration-files.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let dir: string;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

beforeEach(async () => {
  await database.db.execute("drop schema public cascade");
  await database.db.execute("create schema public");
  dir = await mkdtemp(join(tmpdir(), "pointkeeper-migrations-"));
  await writeFile(join(dir, "0001_shelf.sql"), "create table shelf (n integer);\ninsert into shelf values (1);\n");
  return () => rm(dir, { recursive: true });
});

const run = () => migrate(database.connection, { dir });

async function refusal(): Promise<string> {
  const error = await run().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MigrationError);
  return String(error);
}

test("nodes that start at once apply each migration once", async () => {
  await writeFile(join(dir, "0002_more.sql"), "insert into shelf values (2);");
  const counts = await Promise.all([run(), run(), run(), run()]);
  expect(counts.toSorted()).toEqual([0, 0, 0, 2]);
  expect(await database.db.query("select n from shelf order by n")).toEqual([{ n: 1 }, { n: 2 }]);
  expect(await database.db.query("select number, name from migration order by number")).toEqual([
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
  expect(await database.db.query("select n from shelf")).toEqual([{ n: 1 }]);
  expect(await database.db.query("select number from migration")).toEqual([{ number: 1 }]);
});

test("a database of a newer version is refused", async () => {
  await run();
  await rm(join(dir, "0001_shelf.sql"));
  expect(await refusal()).toContain("newer Pointkeeper");
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
