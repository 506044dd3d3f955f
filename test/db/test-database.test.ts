import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let first: TestDatabase;
let second: TestDatabase;

beforeAll(async () => {
  [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
});

afterAll(async () => {
  await Promise.all([first.drop(), second.drop()]);
});

test("two clones share nothing", async () => {
  await first.owner.execute("create table proof (n integer)");
  const [found] = await second.db.query<{ found: boolean }>("select to_regclass('proof') is not null as found");
  expect(found).toEqual({ found: false });
});
