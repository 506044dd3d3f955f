import { expect, test } from "vitest";
import { draftOf, filterOf, tiersOf } from "./filter-draft.ts";

test("a filter is shown as it was typed, and sent as it was", () => {
  const filter = {
    spend_min: 123_450,
    tags: ["vip", "tea"],
    accepts_marketing: false,
    joined_month: "2026-03",
    tiers: ["019a0000-0000-7000-8000-000000000000"],
  };
  expect(draftOf(filter, 2).spend_min).toBe("1,234.50");
  expect(filterOf(draftOf(filter, 2), 2)).toEqual(filter);
  expect(filterOf(draftOf({}, 0), 0)).toEqual({});
});

test("what is no number is sent as it was typed, to be refused at its field", () => {
  expect(filterOf({ ...draftOf({}, 0), points_min: "many" }, 0)).toEqual({ points_min: "many" });
});

test("several tiers are shown and sent, and a tag with a comma stays one tag until it is changed", () => {
  const filter = { tiers: ["a", "b"], tags: ["Osaka, Japan", "vip"] };
  const draft = draftOf(filter, 0);
  expect(tiersOf(draft)).toEqual(["a", "b"]);
  expect(tiersOf(draftOf({}, 0))).toEqual([]);
  expect(filterOf(draft, 0, filter)).toEqual(filter);
  expect(filterOf({ ...draft, tiers: "b, c", tags: "Osaka, vip" }, 0, filter)).toEqual({
    tiers: ["b", "c"],
    tags: ["Osaka", "vip"],
  });
});
