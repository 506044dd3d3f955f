import type { Tx } from "../../db/pool.ts";
import { lockLiveBalances } from "../../ledger/balance-queries.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import type { PostingDeps } from "../../ledger/queue/posting-batch.ts";
import { shardOf } from "../csv-import.ts";
import { selectImport } from "../queries.ts";
import { selectGoneRows } from "../row-queries.ts";
import { countUndoneLater, dropGoneIssues, insertIssues } from "../step-queries.ts";
import { postUndoneRows } from "./post-undone-rows.ts";

/**
 * Undoes the rows of undone imports of points that found nobody, because their customer was deleted, once a merge has undone the deletion and brought the
 * points back: otherwise the survivor would have points of a file that may be imported again. `revived`: the customers whose points came back; `kept`:
 * the survivor, who lives. Its balance is locked. A batch of an undoing that is not complete locks its shard first, so both may deadlock: the database
 * then aborts one of them, and it starts over.
 */
export async function undoRevivedRows(
  tx: Tx,
  deps: PostingDeps,
  { revived, kept }: { readonly revived: readonly CustomerRef[]; readonly kept: CustomerRef },
): Promise<void> {
  const rows = await selectGoneRows(tx, revived, kept);
  for (const [uid, ofImport] of Map.groupBy(rows, ({ importUid }) => importUid)) {
    const file = await selectImport(tx, uid);
    for (const [shard, ofShard] of Map.groupBy(ofImport, ({ bucket }) => shardOf(bucket))) {
      const held = await lockLiveBalances(tx, [kept]);
      const { issues, added, taken } = await postUndoneRows(tx, deps, file, { rows: ofShard, held });
      await dropGoneIssues(tx, uid, ofShard);
      await insertIssues(tx, uid, "undo", issues);
      await countUndoneLater(tx, { uid, shard }, { valid: ofShard.length - issues.length, added, taken });
    }
  }
}
