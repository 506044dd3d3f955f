import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DueSearch, dueSearch, earliestSweep, isDue } from "./due-search.ts";
import { balanceExpiry, type ExpiryRules, lotExpiry } from "./expiry.ts";

const DAY_MS = 86_400_000;
const instant = fc
  .integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2029, 0, 1) })
  .map((ms) => Temporal.Instant.fromEpochMilliseconds(ms));
/** Often a start of a day, where months are clipped to the same date and zones differ. */
const edgy = fc.oneof(
  instant,
  instant.map((at) => Temporal.Instant.fromEpochMilliseconds(Math.floor(at.epochMilliseconds / DAY_MS) * DAY_MS)),
);
const rules: fc.Arbitrary<ExpiryRules> = fc.record({
  delayMonths: fc.integer({ min: 1, max: 36 }),
  mode: fc.constantFrom("sliding" as const, "per_allotment" as const),
  sweep: fc.constantFrom("daily" as const, "monthly" as const, "yearly" as const),
  couponsExtend: fc.boolean(),
  returnedDays: fc.constant(30),
  shorteningDays: fc.integer({ min: 0, max: 90 }),
  shortenedAt: fc.option(instant),
  timeZone: fc.constantFrom("Asia/Tokyo", "UTC", "America/New_York", "Pacific/Apia", "Pacific/Pago_Pago"),
});
const lot = fc.record({ since: edgy, expiresAt: fc.option(edgy) });

const atOrBefore = (a: Temporal.Instant, b: Temporal.Instant) => Temporal.Instant.compare(a, b) <= 0;
/** From when the expiry of a lot without a date of its own counts. */
const startOf = (since: Temporal.Instant, activeAt: Temporal.Instant | null) =>
  activeAt !== null && atOrBefore(since, activeAt) ? activeAt : since;
const utcDay = (at: Temporal.Instant) => at.toZonedDateTimeISO("UTC").toPlainDate().toString();
const isFound = ({ by, lastStart }: NonNullable<DueSearch["undated"]>, start: Temporal.Instant) =>
  by === "day" ? utcDay(start) <= utcDay(lastStart) : atOrBefore(start, lastStart);

describe("the search for what is due", () => {
  test("passes no due lot by, whatever the mode, zone and sweep", () => {
    fc.assert(
      fc.property(rules, lot, fc.option(edgy), edgy, (rules, lot, activeAt, now) => {
        const expiry = lotExpiry(lot, activeAt, rules);
        const isDue = expiry !== null && atOrBefore(expiry, now);
        const { datedUntil, undated } = dueSearch(rules, now);
        if (lot.expiresAt !== null) {
          expect(atOrBefore(lot.expiresAt, datedUntil)).toBe(isDue);
        } else if (isDue) {
          if (undated === null) throw new Error("the search leaves a due lot out");
          const start = rules.mode === "sliding" ? startOf(lot.since, activeAt) : lot.since;
          expect(isFound(undated, start)).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("looks no further than what is due, or than its day", () => {
    fc.assert(
      fc.property(rules, edgy, edgy, (rules, since, now) => {
        const { undated } = dueSearch(rules, now);
        fc.pre(undated !== null);
        fc.pre(isFound(undated, since));
        const first = undated.by === "day" ? Temporal.Instant.from(`${utcDay(since)}T00:00:00Z`) : since;
        const expiry = lotExpiry({ since: first, expiresAt: null }, null, rules);
        expect(expiry !== null && atOrBefore(expiry, now)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test("tells by a balance's row what is due, as the row's expiry does, to the microsecond", () => {
    let due = 0;
    const micros = fc.constantFrom(-1_000_000, -1_000, -1, 0, 1, 999, 1_000, 1_000_000);
    const near = fc.record({ place: fc.constantFrom<("since" | "active")[]>("since", "active"), micros });
    fc.assert(
      fc.property(rules, edgy, fc.option(edgy), edgy, near, (rules, oldestSince, activeAt, now, { place, micros }) => {
        const search = dueSearch(rules, now);
        const edge = search.undated?.lastStart.add({ microseconds: micros }) ?? oldestSince;
        for (const bounds of [
          { oldestSince, activeAt, soonestExpiresAt: null },
          { oldestSince: null, activeAt, soonestExpiresAt: search.datedUntil.add({ microseconds: micros }) },
          place === "since"
            ? { oldestSince: edge, activeAt, soonestExpiresAt: null }
            : { oldestSince, activeAt: edge, soonestExpiresAt: null },
        ]) {
          const expiry = balanceExpiry(bounds, rules);
          const isExpired = expiry !== null && atOrBefore(expiry, now);
          expect(isDue(search, bounds)).toBe(isExpired);
          if (isExpired) due++;
        }
      }),
      { numRuns: 3_000 },
    );
    expect(due).toBeGreaterThan(500);
  });

  test("the earliest sweep is the first expiry, or that of its day's start", () => {
    fc.assert(
      fc.property(rules, lot, fc.option(edgy), (rules, lot, activeAt) => {
        const expiry = lotExpiry(lot, activeAt, rules);
        const start = startOf(lot.since, activeAt);
        const earliest = earliestSweep(rules, {
          expiresAt: lot.expiresAt,
          since: lot.expiresAt === null ? lot.since : null,
          expiryFromOn: lot.expiresAt === null ? utcDay(start) : null,
        });
        if (expiry === null || earliest === null) throw new Error("every lot of these rules expires");
        const isByDay = lot.expiresAt === null && rules.mode === "sliding";
        const dayStart = Temporal.Instant.from(`${utcDay(start)}T00:00:00Z`);
        const first = isByDay ? lotExpiry({ since: dayStart, expiresAt: null }, null, rules) : expiry;
        expect(earliest).toEqual(first);
        expect(atOrBefore(earliest, expiry)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test("without a delay only own dates expire", () => {
    const [one] = fc.sample(rules, 1);
    if (one === undefined) throw new Error("no rules");
    const never = { ...one, delayMonths: null };
    const at = Temporal.Instant.from("2026-03-01T00:00:00Z");
    expect(dueSearch(never, at).undated).toBeNull();
    expect(earliestSweep(never, { expiresAt: null, since: at, expiryFromOn: "2026-03-01" })).toBeNull();
  });
});
