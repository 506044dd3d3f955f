import type { Tx } from "../db/pool.ts";
import { type BalancePostings, decideChanges } from "./decide-changes.ts";
import type { CustomerChange } from "./posting.ts";
import type { BatchContext, PostingDeps } from "./posting-batch.ts";
import { publishChanges } from "./publish-changes.ts";
import { writeChanges } from "./write-changes.ts";
import { writeHoldEnds } from "./write-hold-ends.ts";

/**
 * The only writer of points, behind the entry points that src/ledger/README.md names: decides and writes what is wanted of balances that this
 * transaction has locked. Returns a change each, in their order.
 */
export async function changeBalances(
  tx: Tx,
  deps: PostingDeps,
  wanted: readonly BalancePostings[],
  context: BatchContext,
): Promise<CustomerChange[]> {
  const changes = await decideChanges(tx, deps, wanted, context);
  await writeHoldEnds(tx, changes);
  await Promise.all([writeChanges(tx, changes, context.programVersion), publishChanges(tx, deps, changes, context)]);
  return changes;
}
