import { expect, test } from "vitest";
import { tierChoices } from "./tier-choices.ts";

test("a chosen tier that was removed is offered as such, once the tiers are read", () => {
  const gold = { uid: "g", name: "Gold" };
  const silver = { uid: "s", name: "Silver" };
  expect(tierChoices([gold, silver], ["s", "g"], "removed")).toEqual([
    ["g", "Gold"],
    ["s", "Silver"],
  ]);
  expect(tierChoices([gold], [], "removed")).toEqual([["g", "Gold"]]);
  expect(tierChoices([gold], ["s", "g", "b"], "removed")).toEqual([
    ["g", "Gold"],
    ["s", "removed"],
    ["b", "removed"],
  ]);
  expect(tierChoices([], ["g"], "removed")).toEqual([["g", "removed"]]);
  expect(tierChoices(null, ["g"], "removed")).toEqual([]);
});
