import fc from "fast-check";
import { expect, test } from "vitest";
import { type ExpiryRules, lotExpiry } from "../../ledger/expiry/expiry.ts";
import { createExpiryCounter, type ExpiringLot } from "./expiry-effect.ts";

const NOW = Temporal.Instant.from("2026-03-31T09:07:13.000001Z");

const zone = fc.constantFrom("Asia/Tokyo", "Asia/Kathmandu", "America/New_York", "Australia/Adelaide", "UTC");
const rules = fc.record({
  delayMonths: fc.constantFrom(null, 1, 2, 6, 11),
  mode: fc.constantFrom("sliding" as const, "per_allotment" as const),
  sweep: fc.constantFrom("daily" as const, "monthly" as const, "yearly" as const),
  shorteningDays: fc.constantFrom(0, 30),
  timeZone: zone,
});
const rulesOf = (
  value: { shorteningDays: number; timeZone: string } & Pick<ExpiryRules, "delayMonths" | "mode" | "sweep">,
) => ({
  ...value,
  couponsExtend: true,
  returnedDays: 30,
  shortenedAt: null,
});
/** To the microsecond, and often at midnight in some zone. */
const time = fc
  .tuple(fc.integer({ min: -500, max: 300 }), fc.integer({ min: 0, max: 95 }), fc.constantFrom(0, 0, 1, 899_999_999))
  .map(([days, quarter, micros]) =>
    Temporal.Instant.fromEpochNanoseconds(
      NOW.round("hour")
        .add({ hours: 24 * days })
        .add({ minutes: 15 * quarter }).epochNanoseconds +
        BigInt(micros) * 1_000n,
    ),
  );
const lot = fc.record({
  customer: fc.nat(4),
  remaining: fc.bigInt({ min: 1n, max: 500n }),
  expiresAt: fc.option(time),
  since: time,
  activeAt: fc.option(time),
});

const quarterOf = (at: Temporal.Instant) => {
  const quarters = at.epochNanoseconds / 900_000_000_000n;
  return Number(2n * quarters + (quarters * 900_000_000_000n === at.epochNanoseconds ? 0n : 1n));
};

test("what is counted by quarters of an hour is what the ledger says of each lot", () => {
  const lots = fc.array(lot, { maxLength: 30 }).map((all) => all.toSorted((a, b) => a.customer - b.customer));
  fc.assert(
    fc.property(rules, rules, fc.boolean(), lots, (old, next, isShorter, given) => {
      const before = rulesOf(old);
      const after = { ...rulesOf(next), shortenedAt: isShorter ? NOW : null };
      const counter = createExpiryCounter({ before, after, now: NOW });
      const customers = { earlier: new Set<number>(), later: new Set<number>() };
      const points = { earlier: 0n, later: 0n, graced: 0n, atOnce: 0n };
      for (const { customer, remaining, expiresAt, since, activeAt } of given) {
        const one: ExpiringLot = {
          customerUid: String(customer),
          remaining,
          expiresIn: expiresAt && quarterOf(expiresAt),
          sinceIn: quarterOf(since),
          activeIn: activeAt && quarterOf(activeAt),
        };
        counter.add(one);
        const ms = (by: ExpiryRules) => lotExpiry({ expiresAt, since }, activeAt, by)?.epochMilliseconds ?? Infinity;
        const [was, is, ungraced] = [ms(before), ms(after), ms({ ...after, shortenedAt: null })];
        const now = NOW.epochMilliseconds;
        if (was === is || (was <= now && is <= now)) continue;
        const way = is < was ? "earlier" : "later";
        points[way] += remaining;
        customers[way].add(customer);
        if (way === "earlier" && is <= now) points.atOnce += remaining;
        if (way === "earlier" && is > now && ungraced <= now) points.graced += remaining;
      }
      const effect = counter.finish(1);
      expect({
        earlier: effect.earlier.points,
        later: effect.later.points,
        graced: effect.graced.points,
        atOnce: effect.atOnce.points,
      }).toEqual(points);
      expect([effect.earlier.balances, effect.later.balances]).toEqual([customers.earlier.size, customers.later.size]);
    }),
    { numRuns: 300 },
  );
});
