import type { TierRule } from "../program/program.ts";
import { tierOfSpend } from "./tier-rules.ts";
import type { TierAssignment } from "./tier-update.ts";

/**
 * The standing of two customers who are one: the higher tier of both, or that of their joint spend where it is higher yet; the
 * next check evaluates it as any other. The higher floor, which promotes nobody. A check that one of them would have skipped is
 * skipped. `rules` ascend.
 */
export function joinAssignments(
  rules: readonly TierRule[],
  [kept, removed]: readonly [TierAssignment, TierAssignment],
  spent: bigint,
): TierAssignment {
  const higher = (a: TierRule, b: TierRule): TierRule => (rules.indexOf(a) >= rules.indexOf(b) ? a : b);
  const floors = [kept.minimumTier, removed.minimumTier].filter((floor) => floor !== null);
  return {
    tier: higher(higher(kept.tier, removed.tier), tierOfSpend(rules, spent)),
    minimumTier: floors.length === 0 ? null : floors.reduce(higher),
    skipNextCheck: kept.skipNextCheck || removed.skipNextCheck,
  };
}
