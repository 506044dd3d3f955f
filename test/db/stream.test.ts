import { afterAll, beforeAll, expect, test } from "vitest";
import type { BinaryRow } from "../../src/db/binary-row.ts";
import type { ReadDb } from "../../src/db/pool.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { waitUntil } from "../support/wait-until.ts";

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

function numbers(db: ReadDb): AsyncIterable<{ n: number }[]> {
  return db.stream<{ n: number }>(NUMBERS, [ROWS], { pieceRows: PIECE_ROWS });
}

test("every row comes once, in pieces", async () => {
  const seen: number[] = [];
  const sizes: number[] = [];
  for await (const rows of numbers(database.db)) {
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

test("what plans a copied statement does not plan the statements beside it", async () => {
  await database.db.reading(async (db) => {
    const statement = { text: NUMBERS.replaceAll("$1::integer", String(ROWS)), fields: 1, onRow: () => {} };
    for await (const _ of db.copy(statement)) {
      for (const name of SETTINGS) {
        expect(await db.query("select current_setting($1) as value", [name])).toEqual([{ value: "on" }]);
      }
    }
  });
});

/** The numbers of a copied statement, and how many pieces they came in. */
async function copied(db: ReadDb, text: string): Promise<{ seen: number[]; pieces: number }> {
  const seen: number[] = [];
  let pieces = 0;
  const onRow = ({ bytes, starts }: BinaryRow) => void seen.push(bytes.readInt32BE(starts[0]));
  for await (const _ of db.copy({ text, fields: 1, onRow })) pieces++;
  return { seen, pieces };
}

const backends = async () =>
  database.db.query<{ n: number }>(
    "select count(*)::integer as n from pg_stat_activity where datname = current_database()",
  );

test("a copied statement gives every row once, in its order, in pieces", async () => {
  const { seen, pieces } = await copied(database.db, "select n from generate_series(1, 100000) n order by n");
  expect(seen).toEqual(Array.from({ length: 100_000 }, (_, i) => i + 1));
  expect(pieces).toBeGreaterThan(3);
});

test("a copy that fails in the middle fails its reader; one that is left leaves no connection", async () => {
  const before = await backends();
  await expect(copied(database.db, "select 1 / (90000 - n) from generate_series(1, 100000) n")).rejects.toThrow(
    "division by zero",
  );
  const statement = { text: "select n from generate_series(1, 3000000) n", fields: 1, onRow: () => {} };
  for await (const _ of database.db.copy(statement)) break;
  await waitUntil(async () => JSON.stringify(await backends()) === JSON.stringify(before));
});

test("what is copied of a moment is of that moment, and other statements of it run meanwhile", async () => {
  await database.owner.execute("create table copied (n integer)");
  await database.owner.execute("grant select, insert on copied to public");
  await database.db.execute("insert into copied select generate_series(1, 100000)");
  await database.db.reading(async (db) => {
    expect(await db.query("select count(*)::integer as n from copied")).toEqual([{ n: 100_000 }]);
    await database.db.execute("insert into copied values (0)");
    const counts: unknown[] = [];
    const statement = { text: "select n from copied", fields: 1, onRow: () => {} };
    let rows = 0;
    for await (const count of db.copy(statement)) {
      rows += count;
      counts.push(await db.query("select count(*)::integer as n from copied"));
    }
    expect(rows).toBe(100_000);
    expect(counts).toEqual(counts.map(() => [{ n: 100_000 }]));
  });
  expect((await copied(database.db, "select n from copied")).seen).toHaveLength(100_001);
});

test("what a transaction wrote and may take back is not copied", async () => {
  const work = database.db.txWithReads(async (_, reads) => copied(reads, "select 1"));
  await expect(work).rejects.toThrow("can be streamed, not copied");
});
