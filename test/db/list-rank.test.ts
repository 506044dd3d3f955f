import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  FIRST_POSITION,
  LAST_POSITION,
  type Position,
  rankOf,
  selectBetween,
} from "../../src/points/allotments/queries.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

/** More than two steps of the count, two allotments at each time; no bookmark is made of them. */
const ROWS = 24_000;
const TYPES = ["api", "csv"];
const UID = "00000000-0000-7000-8000-000000000001";

// One of a hundred is of the second type, and the last tenth is all of the first.
const INSERT = `insert into allotment (bucket, customer_uid, version, uid, allotted_at, type, point_value, balance_after, source_key, app_reference,
  extends, program_version)
select 1, $1, n, uuidv7(), '2026-01-01T00:00:00Z'::timestamptz + interval '1 second' * (n / 2),
  case when n % 100 = 7 and n < $2::integer * 0.9 then 'csv' else 'api' end, 1, n, 'api/' || n, 'test', true, 1
from generate_series(1, $2::integer) n`;

let database: TestDatabase;
let list: (Position & { type: string })[];

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  await database.owner.execute(INSERT, [UID, ROWS]);
  await db.execute("analyze allotment");
  const text = `select type, allotted_at as "allottedAt", uid from allotment order by allotted_at, uid`;
  list = await db.query<Position & { type: string }>(text);
});

afterAll(() => database.drop());

const ofType = (type: string | null) => list.filter((row) => type === null || row.type === type);

describe("the store's list without bookmarks", () => {
  test.each([null, ...TYPES, "tax"])(
    "the rank of a place is the count of what stands before it (type %s)",
    async (type) => {
      const rows = ofType(type);
      for (const n of [0, 1, 100, 9_999, 10_000, 10_001, 20_000, 20_001, ROWS - 1]) {
        const place = list[n] ?? LAST_POSITION;
        const before = rows.filter(({ allottedAt, uid }) => {
          const order = Temporal.Instant.compare(allottedAt, place.allottedAt);
          return order < 0 || (order === 0 && uid < place.uid);
        }).length;
        expect(await rankOf(database.db, type, place)).toBe(before);
      }
      expect(await rankOf(database.db, type, LAST_POSITION)).toBe(rows.length);
    },
  );

  test.each(["asc", "desc"] as const)("a type is read alone and in order, %s", async (direction) => {
    const rows = await selectBetween(
      database.db,
      { type: "csv", after: FIRST_POSITION, before: LAST_POSITION },
      direction,
      500,
    );
    const uids = ofType("csv").map(({ uid }) => uid);
    expect(rows.map(({ uid }) => uid)).toEqual(direction === "asc" ? uids : uids.toReversed());
  });
});

test("a type is counted by the index of types, not among all others", async () => {
  const { db } = database;
  const readByTime = async () => {
    const [row] = await db.query<{ read: bigint }>(
      "select idx_tup_read as read from pg_stat_user_indexes where indexrelname = 'allotment_time'",
    );
    return row?.read;
  };
  await db.query("select pg_stat_force_next_flush()");
  const before = await readByTime();
  for (let count = 0; count < 12; count++) expect(await rankOf(db, "tax", LAST_POSITION)).toBe(0);
  await db.query("select pg_stat_force_next_flush()");
  expect(await readByTime()).toBe(before);
});
