import { expect, test } from "vitest";
import { readPeriod } from "./period.ts";

test("the last 30 days are shown when nothing is asked for, beside the 30 before", () => {
  expect(readPeriod({}, "2026-03-31")).toEqual({
    from: "2026-03-02",
    to: "2026-03-31",
    before: { from: "2026-01-31", to: "2026-03-01" },
  });
});

test("a day stands beside the day before it", () => {
  const day = { from: "2026-03-01", to: "2026-03-01" };
  expect(readPeriod(day, "2026-03-31")).toEqual({ ...day, before: { from: "2026-02-28", to: "2026-02-28" } });
});

test.each([
  ["2026-03-31", "2026-02-01", "2026-02-28", "2026-01-01", "2026-01-31"],
  ["2026-01-01", "2025-12-01", "2025-12-31", "2025-11-01", "2025-11-30"],
])("last month as of %s stands beside the month before it", (today, from, to, beforeFrom, beforeTo) => {
  expect(readPeriod({ preset: "last_month" }, today)).toEqual({ from, to, before: { from: beforeFrom, to: beforeTo } });
});

test.each([
  ["2026-01-01", "2026-01-01", "2025-10-01", "2025-10-01"],
  ["2026-03-31", "2026-01-01", "2025-10-01", "2025-12-29"],
  ["2026-06-30", "2026-04-01", "2026-01-01", "2026-03-31"], // 91 days and 90: no day of this quarter is included
])("this quarter as of %s stands beside as much of the one before", (today, from, beforeFrom, beforeTo) => {
  expect(readPeriod({ preset: "this_quarter" }, today)).toEqual({
    from,
    to: today,
    before: { from: beforeFrom, to: beforeTo },
  });
});

test("what is no period is told by its parameter", () => {
  const parameters = (given: { from?: string; to?: string }) => {
    const read = readPeriod(given, "2026-03-31");
    return "faults" in read ? read.faults.map(({ parameter }) => parameter) : [];
  };
  expect(parameters({ from: "yesterday", to: "2026-02-30" })).toEqual(["from", "to"]);
  expect(parameters({ to: "" })).toEqual(["to"]);
  expect(parameters({ from: "2026-04-01" })).toEqual(["to"]);
  expect(parameters({ from: "2023-03-01" })).toEqual(["from"]);
  expect(parameters({ to: "0001-01-01" })).toEqual(["to"]);
});
