import type { Tx } from "../db/pool.ts";
import { changeBalances } from "./change-balances.ts";
import type { LockedBalance } from "./lock-balances.ts";
import type { Outcome } from "./posting.ts";
import type { BatchContext, CustomerPosting, PostingDeps } from "./posting-batch.ts";
import { groupPostings, outcomesInOrder } from "./posting-groups.ts";

/** Decides and writes postings of balances that this transaction has locked: the rest of `postAllotments`. */
export async function postLocked(
  tx: Tx,
  deps: PostingDeps,
  locked: readonly LockedBalance[],
  postings: readonly CustomerPosting[],
  context: BatchContext,
): Promise<Outcome[]> {
  const groups = groupPostings(locked, postings);
  return outcomesInOrder(groups, await changeBalances(tx, deps, groups, context));
}
