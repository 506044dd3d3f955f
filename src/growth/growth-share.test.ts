import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { growthBetween, growthShareOf, movedBetween, movesText, parseMoves, type ShareFacts } from "./growth-share.ts";
import { tierMonths } from "./tier-months.ts";

const ZONE = "Asia/Tokyo";
const FIRST = 2025 * 12 + 3;
const LAST = FIRST + 7;
const TIERS = ["a", "b", "c"].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`);
const noon = (month: number, day: number) =>
  Temporal.Instant.from(
    `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}-${String(day).padStart(2, "0")}T03:00:00Z`,
  );

/** A customer's life in the test's own words: when they joined, and which tier they entered on which day. */
const life = fc.record({
  joined: fc.integer({ min: FIRST - 3, max: LAST }),
  steps: fc.array(
    fc.record({
      month: fc.integer({ min: FIRST - 3, max: LAST }),
      day: fc.integer({ min: 2, max: 27 }),
      tier: fc.integer({ min: 0, max: 2 }),
    }),
    { maxLength: 8 },
  ),
});
type Life = { joined: number; steps: { month: number; day: number; tier: number }[] };

const sorted = ({ joined, steps }: Life) =>
  steps.filter(({ month }) => month >= joined).sort((a, b) => a.month - b.month || a.day - b.day);

function factsOf(of: Life, n: number): ShareFacts {
  let from: string | null = null;
  const steps = sorted(of).map(({ month, day, tier }) => {
    const step = { at: noon(month, day), from, to: TIERS[tier] ?? null };
    from = step.to;
    return step;
  });
  return {
    customer: { bucket: 0, customerUid: String(n) },
    joinedAt: noon(of.joined, 1),
    orders: 0n,
    firstAt: null,
    lapsesAt: null,
    tierUid: from,
    steps,
  };
}

/** The place of the tier in which a customer ended a month; null: they had not joined. */
function tierAtEnd(of: Life, month: number): number | null {
  if (of.joined > month) return null;
  return sorted(of).findLast((step) => step.month <= month)?.tier ?? 0;
}

describe("the customers of moves", () => {
  const keyOf = (row: { month: number; from: string; to: string; customerUid: string }) =>
    `${row.month} ${row.from} ${row.to} ${row.customerUid}`;

  test("are after a change those whom the moves after it count", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(life, life), { maxLength: 20 }), (pairs) => {
        const changes = pairs.map(([was, is], n) => {
          const before = growthShareOf(factsOf(was, n), ZONE);
          const after = growthShareOf(factsOf(is, n), ZONE);
          return { customer: factsOf(was, n).customer, before, after };
        });
        const listed = new Set(
          movedBetween(changes.map((one) => ({ ...one, before: null, after: one.before }))).made.map(keyOf),
        );
        const { gone, made } = movedBetween(changes);
        for (const row of gone) expect(listed.delete(keyOf(row))).toBe(true);
        for (const row of made) expect(listed.has(keyOf(row))).toBe(false);
        for (const row of made) listed.add(keyOf(row));
        const counted = growthBetween(changes.map(({ after }) => ({ before: null, after }))).moves;
        for (const { month, from, to, customers } of counted)
          expect([...listed].filter((key) => key.startsWith(`${month} ${from} ${to} `))).toHaveLength(customers);
        expect(listed.size).toBe(counted.reduce((sum, { customers }) => sum + customers, 0));
      }),
    );
  });
});

describe("customers by tier and month", () => {
  test("are those of each customer's own life", () => {
    fc.assert(
      fc.property(fc.array(life, { maxLength: 30 }), (lives) => {
        const customers = lives.map((of, n) => growthShareOf(factsOf(of, n), ZONE));
        const sums = growthBetween(customers.map((after) => ({ before: null, after })));
        const months = tierMonths(
          {
            tiers: TIERS.map((uid, n) => ({ uid, isDefault: n === 0 })),
            present: new Map(sums.tiers.map((row) => [row.tierUid, BigInt(row.customers)])),
            moves: sums.moves
              .filter(({ month }) => month >= FIRST)
              .map((row) => ({ ...row, customers: BigInt(row.customers) })),
            joined: new Map(
              sums.months.filter(({ figure }) => figure === "joined").map((row) => [row.month, BigInt(row.customers)]),
            ),
          },
          FIRST,
          LAST,
        );
        expect(months.map(({ month }) => month)).toEqual(Array.from({ length: 8 }, (_, n) => LAST - n));
        for (const { month, customers: counted, up, down, kept } of months) {
          const ends = lives.map((of) => [tierAtEnd(of, month - 1), tierAtEnd(of, month)] as const);
          const count = (fits: (before: number, after: number) => boolean) =>
            BigInt(ends.filter(([before, after]) => after !== null && fits(before ?? 0, after)).length);
          expect(counted).toEqual(TIERS.map((_, n) => count((_before, after) => after === n)));
          expect([up, down]).toEqual([
            count((before, after) => after > before),
            count((before, after) => after < before),
          ]);
          expect(kept).toEqual(TIERS.map((_, n) => count((before, after) => n > 0 && before === n && after === n)));
        }
      }),
    );
  });

  test("a change of a customer changes the sums by the difference, and moves are read as they were written", () => {
    fc.assert(
      fc.property(life, life, (one, other) => {
        const [before, after] = [one, other].map((of) => growthShareOf(factsOf(of, 0), ZONE));
        if (before === undefined || after === undefined) throw new Error("two lives are two customers");
        expect(parseMoves(movesText(after.moves))).toEqual(after.moves);
        const there = growthBetween([
          { before: null, after: before },
          { before, after },
        ]);
        expect(there).toEqual(growthBetween([{ before: null, after }]));
      }),
    );
  });
});

test("a customer counts by the months of the store, and lapses in an hour", () => {
  const facts = {
    ...factsOf({ joined: FIRST, steps: [] }, 0),
    joinedAt: Temporal.Instant.from("2026-01-31T15:00:00Z"),
    orders: 5n,
    firstAt: Temporal.Instant.from("2026-02-28T14:59:59Z"),
    lapsesAt: Temporal.Instant.from("2026-05-01T10:29:59.9Z"),
  };
  expect(growthShareOf(facts, ZONE)).toMatchObject({ joined: 2026 * 12 + 1, firstOrdered: 2026 * 12 + 1, orders: 2 });
  expect(growthShareOf(facts, "UTC")).toMatchObject({ joined: 2026 * 12, firstOrdered: 2026 * 12 + 1 });
  expect(growthShareOf(facts, ZONE).lapsesAt?.toString()).toBe("2026-05-01T10:00:00Z");
});
