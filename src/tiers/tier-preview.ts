import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { Program, TierRule } from "../program/program.ts";
import { type Candidate, decideMove, type EvaluationPlan, higherFloor } from "./evaluation-plan.ts";
import { evaluateTier } from "./tier-evaluation.ts";
import { defaultTier } from "./tier-rules.ts";

/** A customer with all data by which a change of the program is evaluated. Spend is in minor units. */
export interface Prospect extends Candidate {
  /** So far, in the window of the next check, by the old rules and by the new ones. */
  readonly spentToCheckBefore: bigint;
  readonly spentToCheckAfter: bigint;
}

/** A customer whom a change of the program moves. */
export interface TierMover extends CustomerRef {
  readonly from: string;
  readonly to: string;
  /** In minor units, in the window that decides. */
  readonly spent: bigint;
}

export interface TierCount {
  readonly name: string;
  /** Customers who are in it now. */
  readonly present: number;
  /** After the change has moved customers at once. */
  readonly now: number;
  /** At the next check, with the spend so far. */
  readonly atCheck: number;
}

/** The effect of a change of the program on the tiers of all customers. */
export interface TierPreview {
  /** The share of all customers that was evaluated, above 0 and up to 1: an even sample. */
  readonly share: number;
  readonly nextCheckAt: Temporal.Instant;
  readonly tiers: readonly TierCount[];
  /** Moved at once: the members of deleted tiers and, if requested, all customers whom the new rules place elsewhere. */
  readonly now: { readonly count: number; readonly first: readonly TierMover[] };
  /** Customers whom the next check would place elsewhere than by the old rules, with the spend so far. */
  readonly atCheck: { readonly count: number; readonly first: readonly TierMover[] };
}

const LISTED_MAX = 100;

interface MoverGroup {
  count: number;
  readonly first: TierMover[];
}

/** Counts the effect of a change, one customer after the other. */
export interface PreviewCounter {
  add(prospect: Prospect): void;
  /** `customers`: the total number; customers of the evaluated share who were not added have the default tier and keep it. */
  finish(read: { readonly customers: number; readonly share: number }, nextCheckAt: Temporal.Instant): TierPreview;
}

export function createPreviewCounter(plan: EvaluationPlan): PreviewCounter {
  const { before, after } = plan;
  const counts = new Map<string, { present: number; now: number; atCheck: number }>();
  const now: MoverGroup = { count: 0, first: [] };
  const atCheck: MoverGroup = { count: 0, first: [] };
  let added = 0;
  const nameOf = (uid: string) => [...after.rules, ...before.rules].find((rule) => rule.uid === uid)?.name ?? uid;
  const countOf = (name: string) => {
    const count = counts.get(name) ?? { present: 0, now: 0, atCheck: 0 };
    counts.set(name, count);
    return count;
  };
  const note = (group: MoverGroup, prospect: Prospect, from: string, to: string, spent: bigint) => {
    group.count++;
    const { bucket, customerUid } = prospect;
    if (group.first.length < LISTED_MAX)
      group.first.push({ bucket, customerUid, from: nameOf(from), to: nameOf(to), spent });
  };

  function add(prospect: Prospect): void {
    added++;
    const present = prospect.tierUid ?? defaultTier(after.rules).uid;
    const placed = decideMove(plan, prospect)?.toUid ?? present;
    const outcome = outcomesAtCheck(prospect, placed, { before, after });
    countOf(nameOf(present)).present++;
    countOf(nameOf(placed)).now++;
    countOf(nameOf(outcome.after)).atCheck++;
    if (placed !== present) note(now, prospect, present, placed, prospect.spent);
    if (outcome.after !== outcome.before && outcome.after !== placed)
      note(atCheck, prospect, placed, outcome.after, prospect.spentToCheckAfter);
  }

  const finish: PreviewCounter["finish"] = ({ customers, share }, nextCheckAt) => {
    const rest = Math.max(0, Math.round(customers * share) - added);
    const ofDefault = countOf(defaultTier(after.rules).name);
    for (const field of ["present", "now", "atCheck"] as const) ofDefault[field] += rest;
    const names = new Set([...after.rules.map(({ name }) => name), ...counts.keys()]);
    return { share, nextCheckAt, tiers: [...names].map((name) => ({ name, ...countOf(name) })), now, atCheck };
  };

  return { add, finish };
}

type Rules = { readonly rules: readonly TierRule[]; readonly onMiss: Program["tiers"]["onMiss"] };

/** Returns where the next check places a customer by the old rules and, after the change, by the new ones. */
function outcomesAtCheck(
  prospect: Prospect,
  placed: string,
  { before, after }: { readonly before: Rules; readonly after: Rules },
): { readonly before: string; readonly after: string } {
  const { skipNextCheck } = prospect;
  const presentBefore = prospect.tierUid ?? defaultTier(before.rules).uid;
  const standingBy = ({ rules }: Rules, tierUid: string) => {
    return { minimumTierUid: higherFloor(prospect, rules), skipNextCheck, tierUid };
  };
  return {
    before: evaluateTier(standingBy(before, presentBefore), prospect.spentToCheckBefore, before).tierUid,
    after: evaluateTier(standingBy(after, placed), prospect.spentToCheckAfter, after).tierUid,
  };
}
