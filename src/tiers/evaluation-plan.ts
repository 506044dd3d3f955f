import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { Program, TierRule } from "../program/program.ts";
import type { SpendWindow } from "./check-dates.ts";
import { evaluateTier } from "./tier-evaluation.ts";
import { defaultTier } from "./tier-rules.ts";

type Rules = Pick<Program["tiers"], "rules" | "onMiss">;

/** A run that places customers at one time: a check, or a change of the program. */
export interface EvaluationPlan {
  readonly kind: "check" | "program";
  /** For a program change: everyone whom it moves, or only the members of deleted tiers. */
  readonly scope: "all" | "deleted";
  /** The rules by which it places customers: for a check those valid at its time. */
  readonly after: Rules;
  /** For a program change the rules before it; for a check the same rules. */
  readonly before: Rules;
  /** The newest rules: no customer is placed in a tier that was deleted meanwhile. */
  readonly newest: Rules;
  readonly window: SpendWindow;
  readonly windowBefore: SpendWindow;
}

/** A customer whom a run may move. Spend is in minor units. */
export interface Candidate extends CustomerRef {
  /** In `window`. */
  readonly spent: bigint;
  /** In `windowBefore`. */
  readonly spentBefore: bigint;
  /** null: the default tier. */
  readonly tierUid: string | null;
  readonly minimumTierUid: string | null;
  /** Another floor, which ends after the run's time; null or absent: none. */
  readonly keptTierUid?: string | null;
  readonly skipNextCheck: boolean;
  /** Somebody set `skipNextCheck` after the run's time, because the check runs late: it is for the next check. */
  readonly isSkipLater: boolean;
  /** Somebody changed the tier itself after the run's time. */
  readonly isPlacedLater: boolean;
}

/** What a run changes for a customer. */
export interface Move {
  /** null: the default tier. */
  readonly fromUid: string;
  /** null: the default tier. If it equals `fromUid`, only `skip_next_check` is cleared. */
  readonly toUid: string;
  readonly skipNextCheck: boolean;
}

/**
 * Returns what a run changes for one customer; null: nothing (program.md 6). A customer who was placed by hand after the run's time stays
 * there, and a `skip_next_check` set after it is for the next check. A change of the program moves only customers whom the new rules place
 * elsewhere than the old ones over the same time, and the members of deleted tiers.
 */
export function decideMove(plan: EvaluationPlan, customer: Candidate): Move | null {
  if (customer.isPlacedLater) return null;
  const fromUid = customer.tierUid ?? defaultTier(plan.newest.rules).uid;
  const toUid = plan.kind === "check" ? checked(plan, customer) : changed(plan, customer);
  const clearsSkip = plan.kind === "check" && customer.skipNextCheck && !customer.isSkipLater;
  if (toUid === fromUid && !clearsSkip) return null;
  return { fromUid, toUid, skipNextCheck: customer.skipNextCheck && !clearsSkip };
}

function checked({ after, newest }: EvaluationPlan, customer: Candidate): string {
  const standing = standingOf(customer, after, customer.skipNextCheck && !customer.isSkipLater);
  const { tierUid } = evaluateTier(standing, customer.spent, after);
  if (hasTier(newest, tierUid)) return tierUid;
  return evaluateTier({ ...standing, tierUid, skipNextCheck: false }, customer.spent, newest).tierUid;
}

function changed({ scope, before, after, newest }: EvaluationPlan, customer: Candidate): string {
  const standing = standingOf(customer, newest, false);
  const isGone = !hasTier(newest, standing.tierUid);
  const { tierUid: stays } = standing;
  if (!isGone && (scope === "deleted" || customer.skipNextCheck)) return stays;
  const byAfter = evaluateTier(standing, customer.spent, newest).tierUid;
  if (isGone) return byAfter;
  const byBefore = evaluateTier(standingOf(customer, before, false), customer.spentBefore, before).tierUid;
  // Another version may exist since: its own run decides about its effect on this customer.
  return byBefore === evaluateTier(standing, customer.spent, after).tierUid ? stays : byAfter;
}

function standingOf(customer: Candidate, { rules }: Rules, skipNextCheck: boolean) {
  const tierUid = customer.tierUid ?? defaultTier(rules).uid;
  return { tierUid, minimumTierUid: higherFloor(customer, rules), skipNextCheck };
}

/** Returns the floor that stops a drop by these rules: the customer's own, or a higher kept tier. */
export function higherFloor(
  { minimumTierUid, keptTierUid = null }: Candidate,
  rules: readonly TierRule[],
): string | null {
  const rankOf = (tierUid: string | null) => rules.findIndex(({ uid }) => uid === tierUid);
  return rankOf(keptTierUid) > rankOf(minimumTierUid) ? keptTierUid : minimumTierUid;
}

function hasTier({ rules }: Rules, tierUid: string): boolean {
  return rules.some(({ uid }) => uid === tierUid);
}

/** Returns the spend below which nobody without an own tier can be moved: the lowest requirement of any tier that can be entered. */
export function leastRequirement(...sets: readonly Rules[]): bigint {
  const asked = sets.flatMap(({ rules }) =>
    rules.filter(({ isDefault }) => !isDefault).map((rule) => rule.currencySpentRequirement),
  );
  return asked.reduce((least, requirement) => (requirement < least ? requirement : least), SPEND_MAX);
}

/** The largest value of a bigint column, which no customer spends. */
export const SPEND_MAX = 2n ** 63n - 1n;

/** Returns the name of a tier by the newest rules that know it; null: none does. */
export function tierName(tierUid: string, ...sets: readonly Pick<Rules, "rules">[]): string | null {
  const rules: readonly TierRule[] = sets.flatMap((set) => set.rules);
  return rules.find(({ uid }) => uid === tierUid)?.name ?? null;
}
