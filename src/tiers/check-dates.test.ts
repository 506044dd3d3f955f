import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checksBetween, nextCheckAfter, windowOf } from "./check-dates.ts";

const rules = fc.record({
  periodMonths: fc.constantFrom(1, 2, 3, 4, 6, 12),
  startMonth: fc.integer({ min: 1, max: 12 }),
  windowMonths: fc.integer({ min: 1, max: 24 }),
});
const zones = fc.constantFrom("Asia/Tokyo", "America/New_York", "UTC", "Pacific/Apia", "Asia/Beirut");
const instants = fc
  .integer({ min: Date.UTC(1990, 0), max: Date.UTC(2090, 0) })
  .map((ms) => Temporal.Instant.fromEpochMilliseconds(ms));

describe("checks", () => {
  test("a quarter over one month, from January: in April over March's spend", () => {
    const quarterly = { periodMonths: 3, startMonth: 1, windowMonths: 1 } as const;
    const check = nextCheckAfter(Temporal.Instant.from("2026-01-31T15:00:00Z"), quarterly, "Asia/Tokyo");
    expect(check.toString()).toBe("2026-03-31T15:00:00Z");
    const { start, end } = windowOf(check, quarterly, "Asia/Tokyo");
    expect(start.toString()).toBe("2026-02-28T15:00:00Z");
    expect(end.toString()).toBe("2026-03-31T15:00:00Z");
  });

  test("at a check, the next one is the one after it", () => {
    const check = Temporal.Instant.from("2026-04-01T00:00:00Z");
    const monthly = { periodMonths: 1, startMonth: 1, windowMonths: 12 } as const;
    expect(nextCheckAfter(check, monthly, "UTC").toString()).toBe("2026-05-01T00:00:00Z");
    expect(nextCheckAfter(check.subtract({ nanoseconds: 1 }), monthly, "UTC").toString()).toBe("2026-04-01T00:00:00Z");
  });

  test("the start month counts round the year", () => {
    const halfYearly = { periodMonths: 6, startMonth: 11, windowMonths: 6 } as const;
    const next = (text: string) => nextCheckAfter(Temporal.Instant.from(text), halfYearly, "UTC").toString();
    expect(next("2026-01-15T00:00:00Z")).toBe("2026-05-01T00:00:00Z");
    expect(next("2026-05-15T00:00:00Z")).toBe("2026-11-01T00:00:00Z");
    expect(next("2026-12-15T00:00:00Z")).toBe("2027-05-01T00:00:00Z");
  });

  test("a check is the first start of a month of the cycle that comes", () => {
    fc.assert(
      fc.property(instants, rules, zones, (instant, checkRules, zone) => {
        const check = nextCheckAfter(instant, checkRules, zone);
        let day = instant.toZonedDateTimeISO(zone).toPlainDate().with({ day: 1 });
        do day = day.add({ months: 1 });
        while ((day.month + 12 - checkRules.startMonth) % checkRules.periodMonths !== 0);
        expect(check.toString()).toBe(day.toZonedDateTime(zone).toInstant().toString());
        const start = day.subtract({ months: checkRules.windowMonths }).toZonedDateTime(zone).toInstant();
        expect(windowOf(check, checkRules, zone).start.toString()).toBe(start.toString());
      }),
      { numRuns: 500 },
    );
  });

  test("missed checks come in order, none left out, however the time is cut", () => {
    fc.assert(
      fc.property(
        instants,
        rules,
        zones,
        fc.integer({ min: 0, max: 900 }),
        fc.integer({ min: 0, max: 900 }),
        (after, checkRules, zone, a, b) => {
          const middle = after.add({ hours: 24 * a });
          const upTo = middle.add({ hours: 24 * b });
          const whole = checksBetween({ after, upTo }, checkRules, zone).map(String);
          const parts = [
            ...checksBetween({ after, upTo: middle }, checkRules, zone),
            ...checksBetween({ after: middle, upTo }, checkRules, zone),
          ];
          expect(parts.map(String)).toEqual(whole);
        },
      ),
    );
  });
});
