import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Param } from "../../src/db/encode-param.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

/** What the server reads of an array, said by the server itself as text. */
async function readAs(type: string, values: readonly Param[]): Promise<unknown[]> {
  const text = `select k.v::text as v from unnest($1::${type}[]) with ordinality as k (v, n) order by k.n`;
  const rows = await database.db.query<{ v: string | null }>(text, [values]);
  return rows.map(({ v }) => v);
}

const nullable = <T>(arb: fc.Arbitrary<T>) => fc.option(arb, { freq: 5, nil: null });
const text = fc.string({ unit: "binary" }).filter((value) => !value.includes("\0") && value.isWellFormed());
const instant = fc
  .bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_000_000n })
  .map((micros) => Temporal.Instant.fromEpochNanoseconds(micros * 1_000n));

describe("the server reads each array as it was meant", () => {
  test.each<[string, fc.Arbitrary<Param>, (value: Param) => unknown]>([
    ["smallint", fc.integer({ min: -32_768, max: 32_767 }), String],
    ["integer", fc.integer(), String],
    ["bigint", fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), String],
    ["boolean", fc.boolean(), String],
    ["uuid", fc.uuid(), String],
    ["text", text, String],
  ])("%s", async (type, element, said) => {
    const holds = async (values: readonly Param[]) => {
      expect(await readAs(type, values)).toEqual(values.map((value) => (value === null ? null : said(value))));
    };
    await fc.assert(fc.asyncProperty(fc.array(nullable(element), { maxLength: 40 }), holds), { numRuns: 60 });
  });

  test("timestamptz, to the microsecond", async () => {
    const holds = async (values: readonly (Temporal.Instant | null)[]) => {
      const rows = await database.db.query<{ at: Temporal.Instant | null }>(
        "select k.at from unnest($1::timestamptz[]) with ordinality as k (at, n) order by k.n",
        [values],
      );
      expect(rows.map(({ at }) => at?.toString() ?? null)).toEqual(values.map((at) => at?.toString() ?? null));
    };
    await fc.assert(fc.asyncProperty(fc.array(nullable(instant), { maxLength: 40 }), holds), { numRuns: 60 });
  });

  test("an instant between two microseconds is the nearer one, in an array as alone", async () => {
    const at = Temporal.Instant.from("2026-03-01T00:00:00.123456501Z");
    const [row] = await database.db.query<{ alone: string; inArray: string }>(
      `select $1::timestamptz::text as alone, ($2::timestamptz[])[1]::text as "inArray"`,
      [at, [at]],
    );
    expect(row?.inArray).toBe(row?.alone);
  });
});

describe("a value that has no binary form goes as text", () => {
  test("which the server understands", async () => {
    const uppercase = "0199C0DE-0000-7000-8000-00000000000A";
    expect(await readAs("uuid", [`{${uppercase}}`, uppercase])).toEqual([
      uppercase.toLowerCase(),
      uppercase.toLowerCase(),
    ]);
    expect(await readAs("timestamptz", ["infinity", Temporal.Instant.from("2026-03-01T00:00:00Z")])).toEqual([
      "infinity",
      "2026-03-01 00:00:00+00",
    ]);
  });

  test("or refuses by its own error", async () => {
    await expect(readAs("uuid", ["nobody"])).rejects.toMatchObject({ code: "22P02" });
    await expect(readAs("smallint", [40_000])).rejects.toMatchObject({ code: "22003" });
  });
});
