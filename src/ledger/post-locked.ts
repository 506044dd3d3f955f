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
  groups.forEach(({ positions }, g) => {
    positions.forEach((at, i) => {
      const outcome = changes[g]?.outcomes[i];
      if (outcome === undefined) throw new Error("a posting has no outcome");
      outcomes[at] = outcome;
    });
  });
  return outcomes;
}

interface Group extends BalancePostings {
  readonly postings: Posting[];
  /** Where each posting stood in the caller's list. */
  readonly positions: number[];
}

/** In the order of the locks. */
function groupByCustomer(locked: readonly LockedBalance[], postings: readonly CustomerPosting[]): Group[] {
  const asked = new Map<string, Omit<Group, "before">>();
  postings.forEach(({ customer, posting }, position) => {
    const known = asked.get(customer.customerUid);
    if (known === undefined) asked.set(customer.customerUid, { postings: [posting], positions: [position] });
    else {
      known.postings.push(posting);
      known.positions.push(position);
    }
  });
  const groups = locked.flatMap((before) => {
    const wanted = asked.get(before.customerUid);
    return wanted === undefined ? [] : [{ before, postings: wanted.postings, positions: wanted.positions }];
  });
  if (groups.length !== asked.size) {
    for (const { customerUid } of locked) asked.delete(customerUid);
    throw new Error(`customers have no balance: ${[...asked.keys()].join(", ")}`);
  }
  return groups;
}
