import type { Tx } from "../../db/pool.ts";
import { type LockedBalance, lockLiveBalances } from "../../ledger/balance-queries.ts";
import type { PostingDeps } from "../../ledger/queue/posting-batch.ts";
import { requestMoveReviews } from "../../orders/review/request-move-reviews.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../../webhooks/read-active-topics.ts";
import type { CsvImport } from "../csv-import.ts";
import { dropMovedPoints } from "../moved-points-queries.ts";
import { type ShardBatch, selectLastRows, type WorkRow } from "../row-queries.ts";
import { advanceShard, insertIssues, lockShard } from "../step-queries.ts";
import { postUndoneRows } from "./post-undone-rows.ts";

/**
 * Undoes a shard's remaining rows, backwards, by allotments that name them: given points that have not expired are taken, their own lots first and at
 * most the balance, and taken points are returned with their old dates. What could not be taken is stored as an issue. Returns false when the shard is
 * done.
 */
export async function undoPoints(tx: Tx, deps: PostingDeps, file: CsvImport, batch: ShardBatch): Promise<boolean> {
  const from = await lockShard(tx, file.uid, "undo", batch.shard);
  if (from === undefined) return false;
  const rows = await selectLastRows(tx, { uid: file.uid, batch, from });
  const last = rows.at(-1);
  if (last === undefined) return false;
  const held = await lockHolders(tx, rows);
  const { issues, added, taken } = await postUndoneRows(tx, deps, file, { rows, held });
  const counts = { rows: rows.length, valid: rows.length - issues.length, added, taken };
  const given = file.options.move === null ? [] : rows.map(({ holder }) => holder);
  await Promise.all([
    given.length === 0 ? undefined : dropMovedPoints(tx, file.uid, given),
    requestMoveReviews(tx, deps, given, file.startedAt ?? deps.clock.now()),
    insertIssues(tx, file.uid, "undo", issues),
    advanceShard(tx, { uid: file.uid, phase: "undo", shard: batch.shard }, last, counts),
  ]);
  return rows.length === batch.size;
}

/**
 * Locks the balances of all rows, also of those that gave no points: the orders of these customers are evaluated again too, as those of the customer
 * into whom one of them was merged.
 */
async function lockHolders(tx: Tx, rows: readonly WorkRow[]): Promise<readonly LockedBalance[]> {
  const here = rows.filter(({ isGone }) => !isGone);
  if (here.length === 0) return [];
  await tx.execute(LOCK_SUBSCRIPTIONS_SHARED);
  return lockLiveBalances(
    tx,
    here.map(({ holder }) => holder),
  );
}
