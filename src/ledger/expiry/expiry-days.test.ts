import fc from "fast-check";
import { expect, test } from "vitest";
import { compareExpiries, expiryDaysOf, knownExpiryDays } from "./expiry-days.ts";

const DAYS = ["2027-01-01T00:00:00Z", "2027-02-01T00:00:00Z", "2027-03-01T00:00:00Z"].map((at) =>
  Temporal.Instant.from(at),
);
const lot = (days: readonly (Temporal.Instant | null)[]) =>
  fc.record({ goesAt: fc.constantFrom(...days), remaining: fc.bigInt(1n, 1_000n) });
const sorted = (days: readonly (Temporal.Instant | null)[]) =>
  fc.array(lot(days), { maxLength: 8 }).map((lots) => lots.sort((a, b) => compareExpiries(a.goesAt, b.goesAt)));

/** Without an own date, the lots of a balance may be on several days or all on one. */
const undatedLots = fc.oneof(
  sorted([...DAYS, null]),
  fc.constantFrom(...DAYS, null).chain((day) => sorted([day])),
);

test("each day that is known has the points of all lots, and all days are known once all lots were read", () => {
  fc.assert(
    fc.property(sorted(DAYS), undatedLots, fc.integer({ min: 1, max: 9 }), (dated, undated, size) => {
      const all = expiryDaysOf([...dated, ...undated]);
      const known = knownExpiryDays({
        ...{ dated: dated.slice(0, size), datedMore: dated.length > size },
        ...{ undated: undated.slice(0, size), undatedMore: undated.length > size },
        lastUndatedGoesAt: undated.at(-1)?.goesAt ?? null,
        points: [...dated, ...undated].reduce((total, { remaining }) => total + remaining, 0n),
      });
      expect(known).toEqual(all.slice(0, known.length));
      const isWhole = dated.length <= size && (undated.length <= size || new Set(undated.map(nanosOf)).size === 1);
      if (isWhole) expect(known).toEqual(all);
    }),
  );
});

function nanosOf({ goesAt }: { readonly goesAt: Temporal.Instant | null }): bigint | null {
  return goesAt?.epochNanoseconds ?? null;
}
