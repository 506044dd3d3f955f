import type { Tx } from "../db/pool.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../webhooks/read-active-topics.ts";
import { type LockedBalance, lockLiveBalances } from "./balance-queries.ts";
import { readBatchContext } from "./batch-queries.ts";
import { changeBalances } from "./change-balances.ts";
import type { Outcome } from "./posting.ts";
import { type CustomerPosting, groupPostings, outcomesInOrder, type PostingDeps } from "./posting-batch.ts";

/**
 * Posts every posting in the caller's transaction: locks the balances in key order, decides in memory, writes balances,
 * allotments, lots, draws and outbox rows (`changeBalances`). Returns one outcome a posting, in their order; a refusal
 * writes nothing and leaves the others alone. The customers must exist; where one has been deleted or merged into another since the
 * caller looked, the transaction starts over. program.md 3. `held`: the balances as the caller locked them in this transaction
 * (`lockLiveBalances`), after `LOCK_SUBSCRIPTIONS_SHARED`, all at once and none changed since; absent: they are locked here.
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
