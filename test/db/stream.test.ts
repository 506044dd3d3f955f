import { afterAll, beforeAll, expect, test } from "vitest";
import type { ReadDb } from "../../src/db/pool.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

const ROWS = 2_500;
const PIECE_ROWS = 1_000;
const NUMBERS = "select n from generate_series(1, $1::integer) n order by n";
/** Its last row fails. */
const FAILS = "select 1 / ($1::integer - n) as n from generate_series(1, $1::integer) n";
const SETTINGS = ["enable_nestloop", "enable_indexscan"];

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

async function sizesOf(pieces: AsyncIterable<readonly object[]>): Promise<number[]> {
  const sizes: number[] = [];
  for await (const rows of pieces) sizes.push(rows.length);
  return sizes;
}

function numbers(db: ReadDb, readsWholeTables = false): AsyncIterable<{ n: number }[]> {
  return db.stream<{ n: number }>(NUMBERS, [ROWS], { pieceRows: PIECE_ROWS, readsWholeTables });
}

test.each([false, true])("every row comes once, in pieces (of whole tables: %s)", async (readsWholeTables) => {
  const seen: number[] = [];
  const sizes: number[] = [];
  for await (const rows of numbers(database.db, readsWholeTables)) {
    sizes.push(rows.length);
    seen.push(...rows.map(({ n }) => n));
  }
  expect(sizes).toEqual([PIECE_ROWS, PIECE_ROWS, ROWS - 2 * PIECE_ROWS]);
  expect(seen).toEqual(Array.from({ length: ROWS }, (_, i) => i + 1));
});

test("a reader that ends early leaves a transaction that can be used, with the piece that was under way", async () => {
  await database.db.reading(async (db) => {
    for await (const rows of numbers(db)) {
      expect(rows).toHaveLength(PIECE_ROWS);
      break;
    }
    expect(await db.query("select 7 as n")).toEqual([{ n: 7 }]);
  });
  for (let reader = 0; reader < 20; reader++) {
    for await (const _ of numbers(database.db)) break;
  }
  expect(await sizesOf(numbers(database.db))).toHaveLength(3);
});

test("a piece that fails while the one before is used fails the reader, after the rows that came", async () => {
  const seen: number[] = [];
  const read = async () => {
    for await (const rows of database.db.stream(FAILS, [ROWS], { pieceRows: PIECE_ROWS })) {
      await database.db.query("select pg_sleep(0.05)"); // the next piece fails meanwhile, and nobody awaits it yet
      seen.push(rows.length);
    }
  };
  await expect(read()).rejects.toThrow("division by zero");
  expect(seen).toEqual([PIECE_ROWS, PIECE_ROWS]);
  expect(await sizesOf(numbers(database.db))).toHaveLength(3);
});

test("what plans a statement of whole tables does not plan the statements beside it", async () => {
  await database.db.reading(async (db) => {
    for await (const _ of numbers(db, true)) {
      for (const name of SETTINGS) {
        expect(await db.query("select current_setting($1) as value", [name])).toEqual([{ value: "on" }]);
      }
    }
  });
});
