import { afterAll, beforeAll, expect, test } from "vitest";
import { SERVER_MAJOR_MIN } from "../../src/db/migrate.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { LATER_FUNCTIONS } from "../support/later-functions.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test.each([
  ["a function", "select uuidv7()"],
  ["a function that older ones have for other types", "select random(1, 6)"],
  ["a cast", "select '\\x01'::bytea::bigint"],
  ["a hash", "select hashbyteaextended('\\x01', 5)"],
  ["an aggregate", "select any_value(name) from migration"],
])("%s that PostgreSQL 15 lacks fails in a statement of the service", async (_what, statement) => {
  await expect(database.db.query(statement)).rejects.toMatchObject({ code: "42501" });
  expect(await database.owner.query(statement)).toHaveLength(1);
});

test("the list is of the tests' server and the oldest one that is supported", async () => {
  const [server] = await database.owner.query<{ major: number; known: bigint }>(
    `select current_setting('server_version_num')::integer / 10000 as major, count(to_regprocedure(name)) as known
     from unnest($1::text[]) name`,
    [LATER_FUNCTIONS],
  );
  // of another server the list is made anew: its first lines say how
  expect([SERVER_MAJOR_MIN, server]).toEqual([15, { major: 18, known: BigInt(LATER_FUNCTIONS.length) }]);
});
