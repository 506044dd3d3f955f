import { expect, test } from "vitest";
import { tierChoices } from "./tier-choices.ts";

test("a chosen tier that was removed is offered as such, once the tiers are read", () => {
  const gold = { uid: "g", name: "Gold" };
  expect(tierChoices([gold], "g", "removed")).toEqual([["g", "Gold"]]);
  expect(tierChoices([gold], "", "removed")).toEqual([["g", "Gold"]]);
  expect(tierChoices([gold], "s", "removed")).toEqual([
    ["g", "Gold"],
    ["s", "removed"],
  ]);
  expect(tierChoices([], "g", "removed")).toEqual([["g", "removed"]]);
  expect(tierChoices(null, "g", "removed")).toEqual([]);
});
