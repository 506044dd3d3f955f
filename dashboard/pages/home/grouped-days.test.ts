import { expect, test } from "vitest";
import type { HomeDay } from "../../../src/admin/home/schema.ts";
import { groupDays, groupingOf, marksOf } from "./grouped-days.ts";

const days = (count: number): HomeDay[] =>
  Array.from({ length: count }, (_, n) => ({
    day: Temporal.PlainDate.from("2026-01-20").add({ days: n }).toString(),
    issued: 1,
    spent: 2,
    expired: 3,
    refunded: 4,
    returned: 5,
    adjusted: -6,
    outstanding: n,
  }));

test("two months are shown by day, a year by week, more by month", () => {
  expect([30, 62, 63, 366, 370, 371].map(groupingOf)).toEqual(["day", "day", "week", "week", "week", "month"]);
});

test("weeks end with the period; the first may be short; what is outstanding is that of the last day", () => {
  const weeks = groupDays(days(16), "week");
  expect(weeks.map(({ day, issued, adjusted, outstanding }) => ({ day, issued, adjusted, outstanding }))).toEqual([
    { day: "2026-01-20", issued: 2, adjusted: -12, outstanding: 1 },
    { day: "2026-01-22", issued: 7, adjusted: -42, outstanding: 8 },
    { day: "2026-01-29", issued: 7, adjusted: -42, outstanding: 15 },
  ]);
});

test("months are those of the calendar", () => {
  const months = groupDays(days(20), "month");
  expect(months.map(({ day, spent }) => ({ day, spent }))).toEqual([
    { day: "2026-01-20", spent: 24 },
    { day: "2026-02-01", spent: 16 },
  ]);
});

test("a campaign is marked at the stretch in which it begins", () => {
  const campaign = (from: string) => ({ id: from, name: "x", from, to: "2026-02-03" });
  const campaigns = [campaign("2026-01-20"), campaign("2026-01-23"), campaign("2026-01-28")];
  expect(marksOf(groupDays(days(16), "week"), campaigns)).toEqual([
    { day: "2026-01-20", numbers: [1] },
    { day: "2026-01-22", numbers: [2, 3] },
  ]);
});
