import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "./customer-ref.ts";
import { expiryDay } from "./expiry-day.ts";
import type { Draw } from "./lots.ts";
import { moveHolds } from "./merge-queries.ts";
import { bringingPostings, closingPosting, joinBalances, type MergingBalances } from "./merged-balances.ts";
import { postLocked } from "./post-locked.ts";
import type { BatchContext, PostingDeps } from "./posting-batch.ts";
import { readBatchContext } from "./read-batch-context.ts";
import { readDraws } from "./read-draws.ts";
import { readWriteOffs } from "./read-write-offs.ts";
import { writeOffBalance } from "./write-off-balance.ts";

const JOIN = `update balance
set active_at = $3::timestamptz,
  earned_at = $4,
  owed_points = $5,
  held_points = $6,
  held_until = coalesce($7::timestamptz, 'infinity'),
  expiry_from_on = ${expiryDay("$3::timestamptz", "oldest_since")}
where bucket = $1
  and customer_uid = $2`;

// Who was merged into the removed one before leads to the surviving one at once.
const MERGE_AWAY = `update balance
set merged_into = $1
where merged_into = $2
  or (bucket = $3 and customer_uid = $2)`;

export interface MergeOptions {
  readonly appReference: string;
  /** What was written off of the removed one since comes back: the platform told a deletion before the merge. */
  readonly isRemovedDeleted: boolean;
  /** Nothing is left to a surviving customer who was deleted: the points are written off. */
  readonly isKeptDeleted: boolean;
}

/**
 * Moves what a balance holds to the one that its customer is merged into (program.md 3): one closing allotment there, one for
 * each open lot here; holds and debts go along. Both are locked, and no hold of theirs is over. Answers whether points came, which
 * tells `point_balance/update`.
 */
export async function mergeBalances(
  tx: Tx,
  deps: PostingDeps,
  merging: MergingBalances,
  { appReference, isRemovedDeleted, isKeptDeleted }: MergeOptions,
): Promise<boolean> {
  const { removed, kept } = merging;
  const context = await readBatchContext(tx);
  await moveHolds(tx, removed, kept);
  const posting = closingPosting(deps.random.uid(), merging, appReference);
  const stripped = { ...removed, owedPoints: 0n };
  const [closed] = await postLocked(tx, deps, [stripped], [{ customer: removed, posting }], context);
  const writtenOff = isRemovedDeleted ? await readWriteOffs(tx, removed) : [];
  const versions = closed?.kind === "posted" ? [...writtenOff, closed.version] : writtenOff;
  const draws = await drawsOf(tx, removed, versions);
  const came = await bring(tx, deps, merging, { draws, appReference, context });
  if (isKeptDeleted) await writeOffBalance(tx, deps, kept, { appReference, after: removed.customerUid });
  await tx.execute(MERGE_AWAY, [kept.customerUid, removed.customerUid, removed.bucket]);
  return came > 0;
}

async function drawsOf(tx: Tx, { bucket, customerUid }: CustomerRef, versions: readonly bigint[]): Promise<Draw[]> {
  const wanted = versions.map((version) => ({ bucket, customerUid, version }));
  const draws = (await readDraws(tx, wanted)).get(customerUid);
  return versions.flatMap((version) => draws?.get(version) ?? []);
}

async function bring(
  tx: Tx,
  deps: PostingDeps,
  merging: MergingBalances,
  { draws, appReference, context }: { draws: readonly Draw[]; appReference: string; context: BatchContext },
): Promise<number> {
  const joined = joinBalances(merging);
  const postings = bringingPostings(deps.random.uid, merging, draws, appReference);
  const brought = postings.map((posting) => ({ customer: joined, posting }));
  const outcomes = await postLocked(tx, deps, [joined], brought, context);
  const refused = outcomes.find(({ kind }) => kind !== "posted");
  if (refused !== undefined) throw new Error(`points of a merged customer were not taken: ${refused.kind}`);
  const { bucket, customerUid, activeAt, earnedAt, owedPoints, heldPoints, heldUntil } = joined;
  await tx.execute(JOIN, [bucket, customerUid, activeAt, earnedAt, owedPoints, heldPoints, heldUntil]);
  return outcomes.length;
}
