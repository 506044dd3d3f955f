import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TierRule } from "../program/program.ts";
import { evaluateTier } from "./tier-evaluation.ts";

const names = ["Bronze", "Silver", "Gold", "Platinum"] as const;
const requirements = [0n, 100n, 1_000n, 5_000n] as const;
const rules: TierRule[] = names.map((name, rank) => ({
  uid: name.toLowerCase(),
  name,
  isDefault: rank === 0,
  currencySpentRequirement: requirements[rank] ?? 0n,
  pointValue: 1n,
  currencyValue: 100n,
}));
type OnMiss = "one_down" | "matching" | "never";

function check(tier: string, spent: bigint, options: { onMiss?: OnMiss; floor?: string; skip?: boolean } = {}): string {
  const assigned = { tierUid: tier, minimumTierUid: options.floor ?? null, skipNextCheck: options.skip ?? false };
  return evaluateTier(assigned, spent, { rules, onMiss: options.onMiss ?? "one_down" }).tierUid;
}

describe("a check", () => {
  test.each<[string, string, bigint, Parameters<typeof check>[2], string]>([
    ["a higher tier met is entered, over several", "bronze", 5_000n, {}, "platinum"],
    ["the present tier met is kept", "silver", 999n, {}, "silver"],
    ["missed, one down", "platinum", 0n, {}, "gold"],
    ["missed, to the matching one", "platinum", 150n, { onMiss: "matching" }, "silver"],
    ["missed, never down", "platinum", 0n, { onMiss: "never" }, "platinum"],
    ["the floor stops a drop", "gold", 0n, { onMiss: "matching", floor: "silver" }, "silver"],
    ["the floor itself holds", "silver", 0n, { floor: "silver" }, "silver"],
    ["a floor above never promotes", "silver", 0n, { floor: "gold" }, "silver"],
    ["a deleted floor is none", "silver", 0n, { floor: "iron" }, "bronze"],
    ["the lowest cannot drop, whatever was refunded", "bronze", -50n, {}, "bronze"],
    ["skipped, neither up", "bronze", 5_000n, { skip: true }, "bronze"],
    ["nor down", "gold", 0n, { skip: true }, "gold"],
    ["a deleted tier's member goes where it matches", "iron", 1_000n, {}, "gold"],
    ["but not below the floor", "iron", 0n, { floor: "silver" }, "silver"],
  ])("%s", (_, tier, spent, options, expected) => {
    expect(check(tier, spent, options)).toBe(expected);
  });

  test("a skipped check clears the mark", () => {
    const assigned = { tierUid: "gold", minimumTierUid: null, skipNextCheck: true };
    expect(evaluateTier(assigned, 0n, { rules, onMiss: "one_down" }).skipNextCheck).toBe(false);
  });

  test("never below the floor or above what is met, and more spend never ends lower", () => {
    const ranks = fc.integer({ min: 0, max: 3 });
    const spends = fc.bigInt({ min: -100n, max: 6_000n });
    const misses = fc.constantFrom<OnMiss>("one_down", "matching", "never");
    fc.assert(
      fc.property(ranks, fc.option(ranks), spends, spends, misses, (present, floor, a, b, onMiss) => {
        const rank = (spent: bigint) => {
          const floorUid = floor === null ? null : (rules[floor]?.uid ?? null);
          const assigned = { tierUid: rules[present]?.uid ?? "", minimumTierUid: floorUid, skipNextCheck: false };
          const { tierUid } = evaluateTier(assigned, spent, { rules, onMiss });
          return rules.findIndex(({ uid }) => uid === tierUid);
        };
        const [less, more] = a < b ? [a, b] : [b, a];
        expect(rank(less)).toBeLessThanOrEqual(rank(more));
        expect(rank(less)).toBeGreaterThanOrEqual(Math.min(present, floor ?? 0));
        const met = requirements.filter((requirement) => requirement <= more).length - 1;
        expect(rank(more)).toBeLessThanOrEqual(Math.max(present, met));
      }),
      { numRuns: 500 },
    );
  });
});
