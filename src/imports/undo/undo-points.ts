import type { Tx } from "../../db/pool.ts";
import { staleRead } from "../../db/stale-read.ts";
import { type LockedBalance, lockBalances } from "../../ledger/balance-queries.ts";
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
 * into whom one of them was merged. Those of deleted customers are locked too: a merge that undoes a deletion either finds the issues of their rows
 * (`undo-revived-rows`), or is found here, and the transaction starts over.
 */
async function lockHolders(tx: Tx, rows: readonly WorkRow[]): Promise<readonly LockedBalance[]> {
  await tx.execute(LOCK_SUBSCRIPTIONS_SHARED);
  const locked = await lockBalances(
    tx,
    rows.map(({ holder }) => holder),
  );
  const byUid = new Map(locked.map((balance) => [balance.customerUid, balance]));
  for (const { holder, isGone } of rows) {
    const balance = byUid.get(holder.customerUid); // undefined: the customer was removed
    const isStale = balance?.mergedInto != null || (balance?.isDeleted ?? true) !== isGone;
    if (isStale)
      throw staleRead(`customer ${holder.customerUid} was merged, deleted or removed meanwhile, or came back`);
  }
  return locked.filter(({ isDeleted }) => !isDeleted);
}
