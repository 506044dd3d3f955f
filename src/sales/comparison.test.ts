import { expect, test } from "vitest";
import { comparisonOf } from "./comparison.ts";

const at = (text: string) => Temporal.Instant.from(text);
const NOW = at("2026-06-01T00:00:00Z");

test("a weekend is compared with the weekend before, at the store's own times", () => {
  const found = comparisonOf(
    { startsAt: at("2026-04-03T15:00:00Z"), endsAt: at("2026-04-05T15:00:00Z") },
    NOW,
    "Asia/Tokyo",
  );
  expect(found).toMatchObject({ weeks: 1 });
  expect(found?.before.from.toString()).toBe("2026-03-27T15:00:00Z");
  expect(found?.before.to.toString()).toBe("2026-03-29T15:00:00Z");
});

test("ten days are compared two weeks before, so that no day is in both", () => {
  const found = comparisonOf({ startsAt: at("2026-04-01T00:00:00Z"), endsAt: at("2026-04-11T00:00:00Z") }, NOW, "UTC");
  expect(found).toMatchObject({ weeks: 2 });
  expect(found?.before.to.toString()).toBe("2026-03-28T00:00:00Z");
});

test("one that goes on is compared as far as it has come, and where the clock changed by local time", () => {
  const now = at("2026-03-10T04:20:00Z"); // 00:20 in New York, in summer time since the 8th
  const found = comparisonOf(
    { startsAt: at("2026-03-09T04:00:00Z"), endsAt: at("2026-03-12T04:00:00Z") },
    now,
    "America/New_York",
  );
  expect(found?.to.toString()).toBe("2026-03-10T04:30:00Z");
  expect(found?.before.from.toString()).toBe("2026-03-02T05:00:00Z");
  expect(found?.before.to.toString()).toBe("2026-03-03T05:30:00Z");
});

test("what has no beginning, has not begun or lasts for years is compared with nothing", () => {
  expect(comparisonOf({ startsAt: null, endsAt: null }, NOW, "UTC")).toBeNull();
  expect(comparisonOf({ startsAt: at("2026-07-01T00:00:00Z"), endsAt: null }, NOW, "UTC")).toBeNull();
  expect(comparisonOf({ startsAt: at("2020-07-01T00:00:00Z"), endsAt: null }, NOW, "UTC")).toBeNull();
});
