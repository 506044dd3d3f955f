import { describe, expect, test } from "vitest";
import type { TierRule } from "../program/program.ts";
import { assignmentOf, presentTier, type TierUpdate, updateAssignment } from "./tier-update.ts";

const rule = (n: number, name: string): TierRule => ({
  uid: `019ca8e7-0000-7000-8000-00000000000${n}`,
  name,
  isDefault: n === 0,
  currencySpentRequirement: BigInt(n) * 10_000n,
  pointValue: 1n,
  currencyValue: 100n,
});
const bronze = rule(0, "Bronze");
const silver = rule(1, "Silver");
const gold = rule(2, "Gold");
const rules = [bronze, silver, gold];

const inSilver = { tier: silver, minimumTier: null, skipNextCheck: false };

describe("an update of a tier", () => {
  test.each<[TierUpdate, object]>([
    [{ tier: "Gold" }, { tier: gold, minimumTier: null }],
    [{ tier: gold.uid.toUpperCase() }, { tier: gold }],
    [{ minimumTier: "Gold" }, { tier: silver, minimumTier: gold }],
    [
      { tier: "Gold", minimumTier: "Silver" },
      { tier: gold, minimumTier: silver },
    ],
    [{ skipNextCheck: true }, { tier: silver, skipNextCheck: true }],
  ])("%j", (update, expected) => {
    expect(updateAssignment(rules, inSilver, update)).toMatchObject(expected);
  });

  test("clears the floor with null, and keeps it when nothing is said", () => {
    const before = { ...inSilver, minimumTier: bronze };
    expect(updateAssignment(rules, before, { minimumTier: null })).toMatchObject({ minimumTier: null });
    expect(updateAssignment(rules, before, { skipNextCheck: true })).toMatchObject({ minimumTier: bronze });
  });

  test.each<[string, TierUpdate]>([
    ["", {}],
    ["/tier", { tier: "Platinum" }],
    ["/tier", { tier: "" }],
    ["/minimum_tier", { minimumTier: "Platinum" }],
    ["/tier", { tier: "Bronze", minimumTier: "Silver" }],
  ])("is refused at %j: %j", (pointer, update) => {
    expect(updateAssignment(rules, inSilver, update)).toMatchObject({ pointer });
  });

  test("below the stored floor is refused", () => {
    expect(updateAssignment(rules, { ...inSilver, minimumTier: silver }, { tier: "Bronze" })).toMatchObject({
      pointer: "/tier",
    });
    expect(
      updateAssignment(rules, { ...inSilver, minimumTier: silver }, { tier: "Bronze", minimumTier: null }),
    ).toMatchObject({
      tier: bronze,
    });
  });

  test("a tier that nobody stored or that is gone is the default one", () => {
    expect(presentTier(rules, null)).toBe(bronze);
    expect(presentTier(rules, "019ca8e7-0000-7000-8000-00000000000f")).toBe(bronze);
    expect(assignmentOf(rules, { tierUid: gold.uid, minimumTierUid: silver.uid, skipNextCheck: true })).toEqual({
      tier: gold,
      minimumTier: silver,
      skipNextCheck: true,
    });
  });
});
