import fc from "fast-check";
import { expect, test } from "vitest";
import { type ExpiryRules, lotExpiry } from "../expiry/expiry.ts";
import type { Lot } from "../lots/lots.ts";
import { datesBefore } from "./dates-before.ts";

const AT = Temporal.Instant.from("1970-01-02T00:00:00Z"); // some of the times below lie before 1970
const QUARTER = 15n * 60n * 1_000_000_000n;
const RULES: ExpiryRules = {
  ...{ delayMonths: 1, mode: "per_allotment", sweep: "daily", couponsExtend: true, returnedDays: 5 },
  ...{ shorteningDays: 30, shortenedAt: null, timeZone: "UTC" },
};

/** A time some minutes from the moment: those that differ by a multiple of 15 have one place in their quarter of an hour. */
const around = fc.integer({ min: -3_000, max: 3_000 }).map((minutes) => AT.add({ minutes: 5 * minutes }));

const lotOf = (version: bigint, expiresAt: Temporal.Instant | null): Lot => ({
  ...{ version, part: 0, remaining: 1n, expiresAt, since: AT, extends: false, origin: null },
});

/** The dates by the rule as it is written: each lot is compared with each end. */
function comparedWithEach(lots: readonly Lot[], ends: readonly Temporal.Instant[], given: typeof lots): Lot[] {
  return lots.map((lot, i) => {
    const own = given[i]?.expiresAt ?? null;
    const dating = ends.filter((end) => {
      const nanos = lot.expiresAt === null ? 0n : lot.expiresAt.epochNanoseconds - end.epochNanoseconds;
      return nanos > 0n && nanos % QUARTER === 0n;
    });
    const isBy = (end: Temporal.Instant) => Temporal.Instant.compare(end, AT) <= 0;
    if (dating.length === 0 || dating.some(isBy)) return lot;
    const expiry = lotExpiry({ ...lot, expiresAt: own }, null, RULES);
    const mayHaveEnded = ends.some((end) => expiry !== null && Temporal.Instant.compare(expiry, end) <= 0 && isBy(end));
    return mayHaveEnded ? lot : { ...lot, expiresAt: own };
  });
}

test("lots have the dates that a comparison of each with each end gives", () => {
  const dates = fc.array(fc.record({ now: fc.option(around), given: fc.option(around) }), { maxLength: 8 });
  fc.assert(
    fc.property(dates, fc.array(around, { maxLength: 8 }), (rows, holdEnds) => {
      const lots = rows.map(({ now }, i) => lotOf(BigInt(i), now));
      const given = rows.map(({ given: own }, i) => lotOf(BigInt(i), own));
      const past = { holdEnds, given: new Map(given.map((lot) => [lot.version, lot.expiresAt])), activeAt: null };
      expect(datesBefore(lots, past, RULES, AT)).toEqual(comparedWithEach(lots, holdEnds, given));
    }),
  );
});

test("very many lots beside very many ended holds are dated by few readings", () => {
  const count = 2_000;
  let readings = 0;
  const ends = Array.from({ length: count }, (_, n) => AT.add({ minutes: 15 + n, seconds: 1 }));
  const holdEnds = new Proxy(ends, {
    get: (target, name) => {
      readings++;
      return Reflect.get(target, name);
    },
  });
  const lots = ends.map((end, n) => lotOf(BigInt(n), end.add({ hours: 120 })));
  const given = new Map(lots.map(({ version }) => [version, null]));
  const dated = datesBefore(lots, { holdEnds, given, activeAt: null }, RULES, AT);
  expect(readings).toBeLessThan(20 * count);
  expect(dated.every(({ expiresAt }) => expiresAt === null)).toBe(true);
});
