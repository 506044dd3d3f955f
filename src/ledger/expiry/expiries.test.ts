import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ExpiryRules, lotExpiry, upcomingExpiries } from "./expiry.ts";

const NOW = Temporal.Instant.from("2026-06-15T09:00:00Z");
const RULES: ExpiryRules = {
  delayMonths: 3,
  mode: "per_allotment",
  sweep: "daily",
  couponsExtend: true,
  returnedDays: 30,
  shorteningDays: 30,
  shortenedAt: null,
  timeZone: "Asia/Tokyo",
};

const days = (min: number, max: number) =>
  fc.integer({ min: min * 24, max: max * 24 }).map((hours) => NOW.add({ hours }));
const lots = fc.array(
  fc.record({
    remaining: fc.bigInt({ min: 1n, max: 100n }),
    expiresAt: fc.option(days(-30, 90)),
    since: days(-120, 0),
  }),
  { maxLength: 8 },
);
const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);

describe("upcoming expiries", () => {
  test("name each date once, soonest first, all to come, and sum to what is available and expires", () => {
    fc.assert(
      fc.property(lots, fc.nat(100), fc.constantFrom(3, null), (lots, heldPercent, delayMonths) => {
        const rules = { ...RULES, delayMonths };
        const ledgerPoints = sum(lots.map((lot) => lot.remaining));
        const heldPoints = (ledgerPoints * BigInt(heldPercent)) / 100n;
        const upcoming = upcomingExpiries({ heldPoints, activeAt: null, lots }, rules, NOW);
        const times = upcoming.map(({ expiresAt }) => expiresAt.epochMilliseconds);
        expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
        expect(
          upcoming.every(({ expiresAt, points }) => expiresAt.epochMilliseconds > NOW.epochMilliseconds && points > 0n),
        ).toBe(true);

        // point by point: the hold takes the front; of the rest, what is due is gone
        const points = lots
          .flatMap((lot) =>
            Array.from(
              { length: Number(lot.remaining) },
              () => lotExpiry(lot, null, rules)?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
            ),
          )
          .sort((a, b) => a - b);
        const left = points
          .slice(Number(heldPoints))
          .filter((at) => at > NOW.epochMilliseconds && at < Number.POSITIVE_INFINITY);
        expect(
          upcoming.flatMap(({ expiresAt, points }) => Array(Number(points)).fill(expiresAt.epochMilliseconds)),
        ).toEqual(left);
      }),
      { numRuns: 1_000 },
    );
  });

  test("of very many lots are found by few dates", () => {
    let dates = 0;
    const rules: ExpiryRules = {
      ...RULES,
      get sweep() {
        dates++;
        return "daily" as const;
      },
    };
    const many = Array.from({ length: 5_000 }, (_, n) => {
      const at = NOW.add({ minutes: 20 * ((n * 7_919) % 5_000) }); // within 71 days of the store, in no order
      return { remaining: 1n, expiresAt: n % 2 === 0 ? at : null, since: at };
    });
    const upcoming = upcomingExpiries({ heldPoints: 0n, activeAt: null, lots: many }, rules, NOW);
    expect(sum(upcoming.map(({ points }) => points))).toBe(5_000n);
    expect(upcoming).toHaveLength(142);
    expect(dates).toBeLessThan(2_500);

    dates = 0;
    const daily = many.slice(0, 100).map((lot, n) => ({ ...lot, since: NOW.add({ hours: 24 * n }) }));
    const dated = daily.map((lot) => ({ ...lot, expiresAt: lot.expiresAt && lot.since }));
    expect(upcomingExpiries({ heldPoints: 0n, activeAt: null, lots: dated }, rules, NOW)).toHaveLength(100);
    expect(dates).toBe(100);
  });

  test("of nothing are none", () => {
    expect(upcomingExpiries({ heldPoints: 0n, activeAt: null, lots: [] }, RULES, NOW)).toEqual([]);
  });
});
