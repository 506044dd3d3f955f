import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addDays,
  addMonths,
  formatAllottedAt,
  formatInstant,
  formatWithOffset,
  localDate,
  monthIndex,
  parseInstant,
  startOfDate,
  startOfDay,
  startOfMonth,
  startOfMonthIndex,
  startOfYear,
  sweepAtOrAfter,
  sweepAtOrBefore,
} from "./store-time.ts";

const zones = fc.constantFrom(
  "Asia/Tokyo",
  "UTC",
  "America/New_York",
  "Europe/Berlin",
  "Australia/Lord_Howe",
  "America/Sao_Paulo",
  "Africa/Cairo",
  "Pacific/Apia",
  "Asia/Kathmandu",
  "Africa/Casablanca",
);
const micros = fc
  .bigInt({ min: -3_000_000_000_000_000n, max: 5_000_000_000_000_000n })
  .map((value) => Temporal.Instant.fromEpochNanoseconds(value * 1_000n));
/** Times near clock changes of recent years, for which the shortcut must not be used. */
const nearChanges = fc
  .tuple(
    fc.constantFrom(
      "2026-03-08T07:00:00Z",
      "2026-11-01T06:00:00Z",
      "2026-03-29T01:00:00Z",
      "2011-12-30T10:00:00Z",
      "2018-11-04T03:00:00Z",
    ),
    fc.integer({ min: -300_000, max: 300_000 }),
  )
  .map(([change, seconds]) => Temporal.Instant.from(change).add({ seconds }));
const instants = fc.oneof(micros, nearChanges);

/** The result of Temporal itself. */
const zoned = (instant: Temporal.Instant, timeZone: string) => instant.toZonedDateTimeISO(timeZone);
const text = (instant: Temporal.Instant) => instant.toString();

describe("the store's calendar agrees with Temporal", () => {
  test("months and days added", () => {
    fc.assert(
      fc.property(instants, zones, fc.integer({ min: -60, max: 240 }), (instant, zone, n) => {
        expect(text(addMonths(instant, n, zone))).toBe(text(zoned(instant, zone).add({ months: n }).toInstant()));
        expect(text(addDays(instant, n, zone))).toBe(text(zoned(instant, zone).add({ days: n }).toInstant()));
      }),
      { numRuns: 1_000 },
    );
  });

  test("starts of day, month and year", () => {
    fc.assert(
      fc.property(instants, zones, (instant, zone) => {
        const local = zoned(instant, zone);
        expect(text(startOfDay(instant, zone))).toBe(text(local.startOfDay().toInstant()));
        expect(text(startOfMonth(instant, zone))).toBe(text(local.with({ day: 1 }).startOfDay().toInstant()));
        expect(text(startOfYear(instant, zone))).toBe(text(local.with({ month: 1, day: 1 }).startOfDay().toInstant()));
        expect(localDate(instant, zone)).toBe(local.toPlainDate().toString());
        expect(monthIndex(instant, zone)).toBe(local.year * 12 + local.month - 1);
        expect(text(startOfMonthIndex(monthIndex(instant, zone), zone))).toBe(text(startOfMonth(instant, zone)));
        expect(text(startOfDate(localDate(instant, zone), zone))).toBe(text(startOfDay(instant, zone)));
      }),
      { numRuns: 1_000 },
    );
  });

  test("a sweep lies at or after the instant, with none between", () => {
    fc.assert(
      fc.property(instants, zones, fc.constantFrom("daily", "monthly", "yearly"), (instant, zone, sweep) => {
        const at = sweepAtOrAfter(instant, sweep, zone);
        expect(Temporal.Instant.compare(at, instant)).toBeGreaterThanOrEqual(0);
        expect(text(sweepAtOrAfter(at, sweep, zone))).toBe(text(at));
        expect(text(sweepAtOrBefore(at, sweep, zone))).toBe(text(at));
        const last = sweepAtOrBefore(instant, sweep, zone);
        if (text(last) !== text(instant)) {
          expect(text(sweepAtOrBefore(at.subtract({ nanoseconds: 1 }), sweep, zone))).toBe(text(last));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("texts", () => {
    fc.assert(
      fc.property(instants, zones, (instant, zone) => {
        const utc = instant.toString({ smallestUnit: "microsecond" });
        expect(formatInstant(instant)).toBe(utc);
        expect(formatAllottedAt(instant)).toBe(utc.slice(0, -1));
        expect(formatWithOffset(instant, zone)).toMatch(/T\d\d:\d\d:\d\d\.\d{6}[+-]\d\d:\d\d$/);
        expect(text(Temporal.Instant.from(formatWithOffset(instant, zone)))).toBe(text(instant));
      }),
    );
  });
});

test("months are clipped to the month's end", () => {
  const added = addMonths(Temporal.Instant.from("2026-01-31T03:00:00Z"), 1, "Asia/Tokyo");
  expect(text(added)).toBe("2026-02-28T03:00:00Z");
});

test("midnight that a clock change skips is the first instant of the day", () => {
  expect(text(startOfDate("2018-11-04", "America/Sao_Paulo"))).toBe("2018-11-04T03:00:00Z");
});

describe("times of requests", () => {
  const tokyo = { timeZone: "Asia/Tokyo", edge: "start" } as const;
  test.each([
    ["2026-03-01T09:30:00Z", "2026-03-01T09:30:00Z"],
    ["2026-03-01T09:30:00", "2026-03-01T09:30:00Z"],
    ["2026-03-01T09:30:00.123456", "2026-03-01T09:30:00.123456Z"],
    ["2026-03-01T09:30:00.1234569", "2026-03-01T09:30:00.123456Z"],
    ["2026-03-01T09:30:00+09:00", "2026-03-01T00:30:00Z"],
    ["2026-03-01T09:30:00 09:00", "2026-03-01T00:30:00Z"],
    ["2026-03-01 09:30-0330", "2026-03-01T13:00:00Z"],
    ["20260301T093000,5+09", "2026-03-01T00:30:00.5Z"],
    ["2026-03-01t09z", "2026-03-01T09:00:00Z"],
    ["2026-03-01T24:00:00Z", "2026-03-02T00:00:00Z"],
    ["2026-03-01", "2026-02-28T15:00:00Z"],
  ])("%s is %s", (input, expected) => {
    expect(parseInstant(input, tokyo)?.toString()).toBe(expected);
  });

  test("an end date is included", () => {
    expect(parseInstant("2026-03-31", { ...tokyo, edge: "end" })?.toString()).toBe("2026-03-31T15:00:00Z");
    expect(parseInstant("2026-03-08", { timeZone: "America/New_York", edge: "end" })?.toString()).toBe(
      "2026-03-09T04:00:00Z",
    );
    expect(parseInstant("2026-03-31T00:00:00Z", { ...tokyo, edge: "end" })?.toString()).toBe("2026-03-31T00:00:00Z");
  });

  test.each([
    "",
    "now",
    "2026-03",
    "09:30",
    "2026-02-30",
    "2026-13-01T00:00Z",
    "2026-03-01T25:00Z",
    "2026-03-01T24:00:01Z",
    "2026-03-01T09:30.5Z",
    "2026-03-01T09:30:00+0",
    "2026-03-01T09:30:00[Asia/Tokyo]",
    "0000-12-31T00:00:00Z",
    "0001-01-01",
    "9999-12-31T23:00:00-02:00",
    "+012026-01-01T00:00:00Z",
    "2026-03-01\u0000",
  ])("%j is refused", (input) => {
    expect(parseInstant(input, tokyo)).toBeNull();
  });

  test("what is written is read back", () => {
    fc.assert(
      fc.property(micros, zones, (instant, timeZone) => {
        const options = { timeZone, edge: "start" } as const;
        expect(parseInstant(formatInstant(instant), options)?.toString()).toBe(text(instant));
        expect(parseInstant(formatAllottedAt(instant), options)?.toString()).toBe(text(instant));
      }),
    );
  });
});
