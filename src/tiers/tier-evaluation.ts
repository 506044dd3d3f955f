import type { Program } from "../program/program.ts";
import { tierOfSpend } from "./tier-rules.ts";

export interface AssignedTierUids {
  /** The present tier; it may have been deleted from the program meanwhile. */
  readonly tierUid: string;
  /** The customer is never placed below it; null: no floor. */
  readonly minimumTierUid: string | null;
  readonly skipNextCheck: boolean;
}

export interface EvaluatedTier {
  readonly tierUid: string;
  /** Always false: a check that was skipped clears it. */
  readonly skipNextCheck: false;
}

/**
 * Returns the result of a check for a customer who spent `spent` (minor units) in its window (program.md 6). If the spend meets a higher
 * tier, the customer enters it; if it meets the present one, the customer keeps it; otherwise the customer drops one tier (`matching`: to
 * the one that is met; `never`: stays). The floor stops a drop and never promotes. A check to be skipped changes nothing. Customers of a
 * deleted tier go to the tier that they match, not below their floor.
 */
export function evaluateTier(
  assigned: AssignedTierUids,
  spent: bigint,
  tiers: Pick<Program["tiers"], "rules" | "onMiss">,
): EvaluatedTier {
  const { rules } = tiers;
  const present = rules.findIndex(({ uid }) => uid === assigned.tierUid);
  const matched = rules.indexOf(tierOfSpend(rules, spent));
  const floor = rules.findIndex(({ uid }) => uid === assigned.minimumTierUid);
  const ranked = { present, matched, floor };
  const rank = present === -1 ? Math.max(matched, floor) : rankAfterCheck(ranked, assigned.skipNextCheck, tiers.onMiss);
  return { tierUid: rules[rank]?.uid ?? assigned.tierUid, skipNextCheck: false };
}

function rankAfterCheck(
  { present, matched, floor }: { present: number; matched: number; floor: number },
  isSkipped: boolean,
  onMiss: Program["tiers"]["onMiss"],
): number {
  if (isSkipped || matched === present) return present;
  if (matched > present) return matched;
  const dropped = { one_down: present - 1, matching: matched, never: present }[onMiss];
  return Math.max(dropped, Math.min(floor, present));
}
