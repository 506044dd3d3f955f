import { expect, test } from "vitest";
import { planRollups, type Rollup, START } from "./rollup.ts";
import { datesBetween, storeDays } from "./store-days.ts";

const rollup = (generation: number, timeZone: string, isShown: boolean): Rollup => ({
  generation,
  timeZone,
  isShown,
  ...START,
});

test("a new store begins its first rollup beside the empty one", () => {
  expect(planRollups([rollup(0, "", true)], "Asia/Tokyo")).toEqual({
    drop: null,
    open: { generation: 1, timeZone: "Asia/Tokyo" },
  });
});

test("a rollup of the store's zone is continued, shown or not, also one that is made again in the same zone", () => {
  const nothing = { drop: null, open: null };
  expect(planRollups([rollup(1, "UTC", true)], "UTC")).toEqual(nothing);
  expect(planRollups([rollup(1, "UTC", true), rollup(2, "UTC", false)], "UTC")).toEqual(nothing);
  expect(planRollups([rollup(1, "Asia/Tokyo", true), rollup(2, "UTC", false)], "UTC")).toEqual(nothing);
});

test("a zone that changes while a rollup is made drops it; changed back, the shown one is enough", () => {
  const rollups = [rollup(3, "UTC", true), rollup(4, "Asia/Tokyo", false)];
  expect(planRollups(rollups, "Europe/Paris")).toEqual({
    drop: rollups[1],
    open: { generation: 5, timeZone: "Europe/Paris" },
  });
  expect(planRollups(rollups, "UTC")).toEqual({ drop: rollups[1], open: null });
});

test("the days of a store begin at its own midnights, also where the clock changes", () => {
  const at = (text: string) => Temporal.Instant.from(text);
  const { days, starts } = storeDays(at("2026-03-08T04:59:00Z"), at("2026-03-09T04:00:00Z"), "America/New_York");
  expect(days).toEqual(["2026-03-07", "2026-03-08", "2026-03-09"]);
  expect(starts.map(String)).toEqual(["2026-03-07T05:00:00Z", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z"]);
});

test("dates between two", () => {
  expect(datesBetween("2026-02-27", "2026-03-01")).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
  expect(datesBetween("2026-03-01", "2026-03-01")).toEqual(["2026-03-01"]);
  expect(datesBetween("2026-03-02", "2026-03-01")).toEqual([]);
});
