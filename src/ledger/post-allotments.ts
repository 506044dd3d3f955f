import type { Tx } from "../db/pool.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../webhooks/read-active-topics.ts";
import { type LockedBalance, lockLiveBalances } from "./balance-queries.ts";
import { changeBalances } from "./change-balances.ts";
import type { Outcome } from "./posting.ts";
import { readBatchContext } from "./queue/batch-queries.ts";
import { type CustomerPosting, groupPostings, outcomesInOrder, type PostingDeps } from "./queue/posting-batch.ts";

/**
 * Posts all postings in the caller's transaction (program.md 3): locks the balances in key order, decides in memory, and writes balances,
 * allotments, lots, draws and outbox rows (`changeBalances`). Returns one outcome per posting, in their order. A refusal writes nothing and does
 * not affect the others. The customers must exist; if one has been deleted or merged into another since the caller read it, the transaction
 * starts over. `held`: all balances, if the caller already locked them in this transaction (`lockLiveBalances`), after
 * `LOCK_SUBSCRIPTIONS_SHARED`, all at once and unchanged since; absent: they are locked here.
 */
export async function postAllotments(
  tx: Tx,
  deps: PostingDeps,
  postings: readonly CustomerPosting[],
  held?: readonly LockedBalance[],
): Promise<Outcome[]> {
  if (postings.length === 0) return [];
  const customers = postings.map((p) => p.customer);
  const [, locked, context] = await Promise.all([
    held === undefined && tx.execute(LOCK_SUBSCRIPTIONS_SHARED),
    held ?? lockLiveBalances(tx, customers),
    readBatchContext(tx),
  ]);
  const groups = groupPostings(locked, postings);
  return outcomesInOrder(groups, await changeBalances(tx, deps, groups, context));
}
