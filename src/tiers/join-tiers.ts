import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { readProgram } from "../program/read-program.ts";
import { nextCheckAfter, windowOf } from "./check-dates.ts";
import { joinAssignments } from "./join-assignments.ts";
import { placeInTier } from "./place-in-tier.ts";
import { selectSpent, selectTier } from "./tier-queries.ts";
import { assignmentOf, type TierAssignment } from "./tier-update.ts";

const FORGET = `delete from customer_tier
where bucket = $1
  and customer_uid = $2`;

/**
 * Places the surviving customer of a merge by both standings and the joint spend over the window of the next check (program.md 6);
 * never lower than before. The merged customer has no standing any more, but keeps its history. The balances are locked, and
 * the orders have been moved.
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
  const window = windowOf(nextCheckAfter(deps.clock.now(), program.tiers, timeZone), program.tiers, timeZone);
  const [ofKept, ofRemoved, spent] = await Promise.all([
    selectTier(tx, kept),
    selectTier(tx, removed),
    selectSpent(tx, kept, window),
  ]);
  const before = assignmentOf(rules, ofKept);
  const after = joinAssignments(rules, [before, assignmentOf(rules, ofRemoved)], spent);
  await tx.execute(FORGET, [removed.bucket, removed.customerUid]);
  if (isSame(before, after)) return;
  await placeInTier(tx, deps, kept, { before, after, cause: { cause: "merge", actor: null } });
}

function isSame(a: TierAssignment, b: TierAssignment): boolean {
  return a.tier === b.tier && a.minimumTier === b.minimumTier && a.skipNextCheck === b.skipNextCheck;
}
