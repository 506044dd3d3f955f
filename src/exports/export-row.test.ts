import { describe, expect, test } from "vitest";
import { fileName, waitAfter } from "./export-row.ts";

const at = (text: string) => Temporal.Instant.from(text);

describe("the 8 hours between requests", () => {
  test.each([
    ["2026-03-01T00:00:00Z", 28_800],
    ["2026-03-01T07:59:59Z", 1],
    ["2026-03-01T07:59:59.5Z", 1],
    ["2026-03-01T08:00:00Z", 0],
    ["2026-03-02T08:00:00Z", 0],
  ])("at %s leave %i seconds", (now, waitS) => {
    expect(waitAfter(at("2026-03-01T00:00:00Z"), at(now))).toBe(waitS);
  });

  test("do not hold up the first", () => {
    expect(waitAfter(null, at("2026-03-01T00:00:00Z"))).toBe(0);
  });
});

test("a file is named by the first and the last day of the store", () => {
  const period = { startAt: at("2026-01-31T15:00:00Z"), endAt: at("2026-02-28T15:00:00Z") };
  expect(fileName(period, "Asia/Tokyo")).toBe("points-2026-02-01-2026-02-28.csv");
  expect(fileName(period, "UTC")).toBe("points-2026-01-31-2026-02-28.csv");
});
