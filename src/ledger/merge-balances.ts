import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "./customer-ref.ts";
import { dropHolds, moveHolds } from "./merge-queries.ts";
import { bringingPostings, closingPosting, joinBalances, type MergingBalances } from "./merged-balances.ts";
import { postLocked } from "./post-locked.ts";
import type { BatchContext, PostingDeps } from "./posting-batch.ts";
import { readBatchContext } from "./read-batch-context.ts";
import { readDeletion } from "./read-deletion.ts";
import { readDraws } from "./read-draws.ts";

const JOIN = `update balance
set active_at = $3::timestamptz,
  earned_at = $4,
  owed_points = $5,
  held_points = $6,
  held_until = coalesce($7::timestamptz, 'infinity'),
  expiry_from_on = case when oldest_since is not null then (greatest($3::timestamptz, oldest_since) at time zone 'UTC')::date end
where bucket = $1
  and customer_uid = $2`;

// Who was merged into the removed one before leads to the surviving one at once.
const MERGE_AWAY = `update balance
set merged_into = $1
where merged_into = $2
  or (bucket = $3 and customer_uid = $2)`;

export interface MergeOptions {
  readonly appReference: string;
  /** Nothing is given to a surviving customer who was deleted: the points are written off. */
  readonly isKeptDeleted: boolean;
}

/**
 * Moves what a balance holds to the one that its customer is merged into (program.md 3): one closing allotment there, one for
 * each open lot here; holds and debts go along. Both are locked, and no hold of theirs is over. Points that were written off since
 * the platform told the deletion before the merge come back. Answers whether points came, which tells `point_balance/update`.
 */
export async function mergeBalances(
  tx: Tx,
  deps: PostingDeps,
  merging: MergingBalances,
  { appReference, isKeptDeleted }: MergeOptions,
): Promise<boolean> {
  const { removed, kept } = merging;
  const context = await readBatchContext(tx);
  if (isKeptDeleted) await dropHolds(tx, removed, deps.clock.now());
  else await moveHolds(tx, removed, kept);
  const posting = closingPosting(deps.random.uid(), merging, appReference);
  const [closed] = await postLocked(
    tx,
    deps,
    [{ ...removed, owedPoints: 0n }],
    [{ customer: removed, posting }],
    context,
  );
  const version = closed?.kind === "posted" ? closed.version : await readDeletion(tx, removed);
  const came = await bring(tx, deps, merging, { version, appReference, isKeptDeleted, context });
  await tx.execute(MERGE_AWAY, [kept.customerUid, removed.customerUid, removed.bucket]);
  return came > 0;
}

async function bring(
  tx: Tx,
  deps: PostingDeps,
  merging: MergingBalances,
  from: MergeOptions & { readonly version: bigint | null; readonly context: BatchContext },
): Promise<number> {
  const { version, appReference, isKeptDeleted, context } = from;
  const joined = joinBalances(merging, isKeptDeleted);
  const draws = version === null || isKeptDeleted ? [] : await drawsOf(tx, merging.removed, version);
  const closing = { version: version ?? 0n, draws, appReference };
  const postings = bringingPostings(deps.random.uid, merging, closing);
  const brought = postings.map((posting) => ({ customer: joined, posting }));
  const outcomes = await postLocked(tx, deps, [joined], brought, context);
  const refused = outcomes.find(({ kind }) => kind !== "posted");
  if (refused !== undefined) throw new Error(`points of a merged customer were not taken: ${refused.kind}`);
  const { bucket, customerUid, activeAt, earnedAt, owedPoints, heldPoints, heldUntil } = joined;
  await tx.execute(JOIN, [bucket, customerUid, activeAt, earnedAt, owedPoints, heldPoints, heldUntil]);
  return outcomes.length;
}

async function drawsOf(tx: Tx, removed: CustomerRef, version: bigint) {
  const draws = await readDraws(tx, [{ ...removed, version }]);
  return draws.get(removed.customerUid)?.get(version) ?? [];
}
