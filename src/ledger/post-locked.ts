import type { Tx } from "../db/pool.ts";
import { changeBalances } from "./change-balances.ts";
import type { BalancePostings } from "./decide-changes.ts";
import type { LockedBalance } from "./lock-balances.ts";
import type { Outcome, Posting } from "./posting.ts";
import type { BatchContext, CustomerPosting, PostingDeps } from "./posting-batch.ts";

/** Decides and writes postings of balances that this transaction has locked: the rest of `postAllotments`. */
export async function postLocked(
  tx: Tx,
  deps: PostingDeps,
  locked: readonly LockedBalance[],
  postings: readonly CustomerPosting[],
  context: BatchContext,
): Promise<Outcome[]> {
  const groups = groupByCustomer(locked, postings);
  const changes = await changeBalances(tx, deps, groups, context);
  const outcomes: Outcome[] = [];
  for (const [g, group] of groups.entries()) {
    for (const [i, at] of group.positions.entries()) {
      const outcome = changes[g]?.outcomes[i];
      if (outcome === undefined) throw new Error("a posting has no outcome");
      outcomes[at] = outcome;
    }
  }
  return outcomes;
}

interface Group extends BalancePostings {
  readonly postings: Posting[];
  /** Where each posting stood in the caller's list. */
  readonly positions: number[];
}

function groupByCustomer(locked: readonly LockedBalance[], postings: readonly CustomerPosting[]): Group[] {
  const groups = new Map<string, Group>();
  for (const before of locked) groups.set(before.customerUid, { before, postings: [], positions: [] });
  for (const [position, { customer, posting }] of postings.entries()) {
    const group = groups.get(customer.customerUid);
    if (group === undefined) throw new Error(`customer ${customer.customerUid} has no balance`);
    group.postings.push(posting);
    group.positions.push(position);
  }
  return [...groups.values()].filter((group) => group.postings.length > 0);
}
