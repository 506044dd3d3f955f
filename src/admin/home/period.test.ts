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

test("what is no period is told by its parameter", () => {
  const parameters = (given: { from?: string; to?: string }) => {
    const read = readPeriod(given, "2026-03-31");
    return "faults" in read ? read.faults.map(({ parameter }) => parameter) : [];
  };
  expect(parameters({ from: "yesterday", to: "2026-02-30" })).toEqual(["from", "to"]);
  expect(parameters({ to: "" })).toEqual(["to"]);
  expect(parameters({ from: "2026-04-01" })).toEqual(["to"]);
  expect(parameters({ from: "2023-03-01" })).toEqual(["from"]);
});
