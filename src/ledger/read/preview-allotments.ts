import type { Tx } from "../../db/pool.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../../webhooks/read-active-topics.ts";
import { lockLiveBalances } from "../balance-queries.ts";
import type { CustomerRef } from "../customer-ref.ts";
import { decideChanges } from "../decide-changes.ts";
import type { Outcome } from "../posting.ts";
import { readBatchContext } from "../queue/batch-queries.ts";
import { type CustomerPosting, groupPostings, outcomesInOrder, type PostingDeps } from "../queue/posting-batch.ts";

/**
 * Decides postings as `postAllotments` would and writes nothing, for callers whose later postings depend on the outcomes of earlier ones. Takes
 * the same locks, on the balances of all `customers`, so that the outcomes hold for the rest of the transaction. Returns one outcome per
 * posting, in their order.
 */
export async function previewAllotments(
  tx: Tx,
  deps: PostingDeps,
  postings: readonly CustomerPosting[],
  customers: readonly CustomerRef[],
): Promise<Outcome[]> {
  const [, locked, context] = await Promise.all([
    tx.execute(LOCK_SUBSCRIPTIONS_SHARED),
    lockLiveBalances(tx, customers),
    readBatchContext(tx),
  ]);
  const groups = groupPostings(locked, postings);
  return outcomesInOrder(groups, await decideChanges(tx, deps, groups, context));
}
