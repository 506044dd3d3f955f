import type { Tx } from "../db/pool.ts";
import type { LockedBalance } from "./balance-queries.ts";
import { changeBalances } from "./change-balances.ts";
import type { Outcome } from "./posting.ts";
import {
  type BatchContext,
  type CustomerPosting,
  groupPostings,
  outcomesInOrder,
  type PostingDeps,
} from "./posting-batch.ts";

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
