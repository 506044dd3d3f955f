import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { TierRule } from "../program/program.ts";
import { readProgram } from "../program/read-program.ts";
import { readProgramVersion } from "../program/read-program-version.ts";
import { nextCheckAfter, type SpendWindow, windowOf } from "./check-dates.ts";
import { selectOldestOpen } from "./evaluation-queries.ts";
import { forgetStandings } from "./forget-standings.ts";
import { placeManyInTier } from "./place-many-in-tier.ts";
import { readDueCheck } from "./read-due-check.ts";
import { selectSpent, selectTier } from "./tier-queries.ts";
import { tierOfSpend } from "./tier-rules.ts";
import { assignmentOf, higherKept, type KeptTier, keptTierOf, type TierAssignment } from "./tier-update.ts";

/**
 * Places the surviving customer of a merge by both standings and the joint spend over the window of the next check, or of one that is late
 * (program.md 6), never lower than before. The merged customer has no standing any more, but keeps its history. The balances must be locked, and
 * the orders moved.
 */
export async function joinTiers(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  removed: CustomerRef,
  kept: CustomerRef,
): Promise<void> {
  const program = await readProgram(tx);
  const { rules } = program.tiers;
  const { timeZone } = program.store;
  const now = deps.clock.now();
  const window = windowOf(nextCheckAfter(now, program.tiers, timeZone), program.tiers, timeZone);
  const late = await readLateCheck(tx, now);
  const [ofKept, ofRemoved, spent, spentLate] = await Promise.all([
    selectTier(tx, kept),
    selectTier(tx, removed),
    selectSpent(tx, kept, window),
    late === null ? 0n : selectSpent(tx, kept, late.window),
  ]);
  const before = assignmentOf(rules, ofKept);
  const deserved = [
    tierOfSpend(rules, spent),
    ...(late === null ? [] : [tierOfLateCheck(rules, late.rules, spentLate)]),
  ];
  const after = joinAssignments(rules, [before, assignmentOf(rules, ofRemoved)], deserved);
  await forgetStandings(tx, [removed]);
  const keepUntil = higherKept(rules, [ofKept, ofRemoved].map(keptTierOf), now);
  if (isSame(before, after) && isSameKept(keepUntil, higherKept(rules, [keptTierOf(ofKept)], now))) return;
  await placeManyInTier(tx, deps, [{ customer: kept, before, after, keepUntil }], { cause: "merge", actor: null });
}

/**
 * Returns the window and rules of a check that is due or under way, which leaves alone whom a merge places after its time: what it would give for
 * the spend before it, the merge gives. null: every check is made.
 */
async function readLateCheck(
  tx: Tx,
  now: Temporal.Instant,
): Promise<{ readonly window: SpendWindow; readonly rules: readonly TierRule[] } | null> {
  const [open, due] = [await selectOldestOpen(tx), await readDueCheck(tx)];
  const late = open?.kind === "check" ? open : due;
  if (late === null || Temporal.Instant.compare(late.at, now) > 0) return null;
  const { tiers, store } = await readProgramVersion(tx, late.programVersion);
  return { window: windowOf(late.at, tiers, store.timeZone), rules: tiers.rules };
}

/** Returns the tier that a late check gives by the rules of its time; if it no longer exists, that of the same spend by the newest `rules`. */
function tierOfLateCheck(rules: readonly TierRule[], rulesThen: readonly TierRule[], spent: bigint): TierRule {
  const { uid } = tierOfSpend(rulesThen, spent);
  return rules.find((rule) => rule.uid === uid) ?? tierOfSpend(rules, spent);
}

function isSameKept(a: KeptTier | null, b: KeptTier | null): boolean {
  return a?.tierUid === b?.tierUid && a?.until.epochNanoseconds === b?.until.epochNanoseconds;
}

function isSame(a: TierAssignment, b: TierAssignment): boolean {
  return a.tier === b.tier && a.minimumTier === b.minimumTier && a.skipNextCheck === b.skipNextCheck;
}

/**
 * Returns the joint standing of two customers: the higher tier of both, or one that their joint spend deserves if it is even higher; the next
 * check evaluates it like any other. The higher floor applies, and promotes nobody. A check that one of them would have skipped is skipped.
 * `rules` ascend.
 */
function joinAssignments(
  rules: readonly TierRule[],
  [kept, removed]: readonly [TierAssignment, TierAssignment],
  deserved: readonly TierRule[],
): TierAssignment {
  const higher = (a: TierRule, b: TierRule): TierRule => (rules.indexOf(a) >= rules.indexOf(b) ? a : b);
  const floors = [kept.minimumTier, removed.minimumTier].filter((floor) => floor !== null);
  return {
    tier: [removed.tier, ...deserved].reduce(higher, kept.tier),
    minimumTier: floors.length === 0 ? null : floors.reduce(higher),
    skipNextCheck: kept.skipNextCheck || removed.skipNextCheck,
  };
}
