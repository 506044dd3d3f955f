import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addMonths, monthWeeks } from "./calendar.ts";
import { localDays, toInstant, toLocal } from "./zone-time.ts";

const ZONES = ["Asia/Tokyo", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "America/Sao_Paulo", "UTC"];
const zone = fc.constantFrom(...ZONES);
const minute = fc.integer({ min: Date.UTC(2015, 0) / 60_000, max: Date.UTC(2035, 0) / 60_000 });

describe("wall-clock times", () => {
  test("agree with Temporal, skipped and doubled hours included", () => {
    fc.assert(
      fc.property(minute, zone, (at, timeZone) => {
        const wall = new Date(at * 60_000).toISOString().slice(0, 16);
        const expected = Temporal.PlainDateTime.from(wall).toZonedDateTime(timeZone).toInstant().epochMilliseconds;
        expect(Date.parse(toInstant(wall, timeZone) ?? "")).toBe(expected);
      }),
      { numRuns: 500 },
    );
    expect(toInstant("2026-03-08T02:30", "America/New_York")).toBe("2026-03-08T07:30:00.000Z");
    expect(toInstant("2026-11-01T01:30", "America/New_York")).toBe("2026-11-01T05:30:00.000Z");
    expect(toInstant("", "UTC")).toBeNull();
  });

  test("of an instant is the zone's", () => {
    expect(toLocal("2026-06-30T15:00:00.000000Z", "Asia/Tokyo")).toBe("2026-07-01T00:00");
    expect(localDays("2026-06-30T15:00:00Z", "2026-07-31T15:00:00Z", "Asia/Tokyo")).toEqual({
      first: "2026-07-01",
      last: "2026-07-31",
    });
  });
});

describe("the month", () => {
  const span = (startsAt: string, endsAt: string) => ({ startsAt, endsAt });

  test("has whole weeks from Monday on, across a clock change too", () => {
    const weeks = monthWeeks("2026-03", [span("2026-03-06T05:00Z", "2026-03-10T04:00Z")], "America/New_York");
    expect(weeks.map(({ days }) => [days[0], days[6]])).toEqual([
      ["2026-02-23", "2026-03-01"],
      ["2026-03-02", "2026-03-08"],
      ["2026-03-09", "2026-03-15"],
      ["2026-03-16", "2026-03-22"],
      ["2026-03-23", "2026-03-29"],
      ["2026-03-30", "2026-04-05"],
    ]);
    expect(weeks[1]?.bars).toEqual([{ index: 0, from: 4, to: 6, lane: 0, isStart: true, isEnd: false }]);
    expect(weeks[2]?.bars).toEqual([{ index: 0, from: 0, to: 0, lane: 0, isStart: false, isEnd: true }]);
  });

  test("puts two that share a day below one another, and a third beside the first", () => {
    const spans = [
      span("2026-07-06T00:00Z", "2026-07-08T12:00Z"),
      span("2026-07-08T12:00Z", "2026-07-10T00:00Z"),
      span("2026-07-10T00:00Z", "2026-07-11T00:00Z"),
    ];
    const [week] = monthWeeks("2026-07", spans, "UTC").slice(1);
    expect(week?.bars.map(({ from, to, lane }) => [from, to, lane])).toEqual([
      [0, 2, 0],
      [2, 3, 1],
      [4, 4, 0],
    ]);
  });

  test("no two bars of a lane share a day, and every day of a span in the month has its bar", () => {
    const start = fc.integer({ min: 0, max: 60 });
    const spans = fc.array(fc.tuple(start, fc.integer({ min: 1, max: 20 })), { maxLength: 6 });
    fc.assert(
      fc.property(spans, (lengths) => {
        const day = (n: number) => new Date(Date.UTC(2026, 5, 1 + n)).toISOString();
        const given = lengths.map(([from, length]) => span(day(from), day(from + length)));
        const days = monthWeeks("2026-06", given, "UTC").flatMap((week) =>
          week.bars.flatMap(({ index, from, to, lane }) =>
            week.days.slice(from, to + 1).map((text) => ({ index, text, lane })),
          ),
        );
        expect(new Set(days.map(({ text, lane }) => `${text}/${lane}`)).size).toBe(days.length);
        const june = days.filter(({ text }) => text.startsWith("2026-06")).length;
        const wanted = lengths.reduce(
          (sum, [from, length]) => sum + Math.max(0, Math.min(30, from + length) - from),
          0,
        );
        expect(june).toBe(wanted);
      }),
    );
  });

  test("months go over the year", () => {
    expect(addMonths("2026-12", 1)).toBe("2027-01");
    expect(addMonths("2026-01", -1)).toBe("2025-12");
  });
});
