import type { Tx } from "../db/pool.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../webhooks/read-active-subscriptions.ts";
import { changeBalances } from "./change-balances.ts";
import type { CustomerRef } from "./customer-ref.ts";
import { selectHeld } from "./hold-queries.ts";
import { lockUnmergedBalances } from "./lock-unmerged-balances.ts";
import type { PostingDeps } from "./posting-batch.ts";
import { readBatchContext } from "./read-batch-context.ts";
import { type WriteOff, writeOffPosting } from "./write-off.ts";

/**
 * Closes the balance of a customer who is deleted, once a reason: its holds with an end of their own are released, and all that is
 * available is written off. A hold without one stays: only who made it knows when its points are free, and `endHold` writes them off
 * then (program.md 3).
 */
export async function writeOffBalance(
  tx: Tx,
  deps: PostingDeps,
  customer: CustomerRef,
  reason: WriteOff,
): Promise<void> {
  const [, [before], context, held] = await Promise.all([
    tx.execute(LOCK_SUBSCRIPTIONS_SHARED),
    lockUnmergedBalances(tx, [customer]),
    readBatchContext(tx),
    selectHeld(tx, customer),
  ]);
  if (before === undefined) throw new Error(`customer ${customer.customerUid} has no balance`);
  const at = deps.clock.now();
  const holdEnds = held
    .filter(({ expiresAt }) => expiresAt !== null && Temporal.Instant.compare(expiresAt, at) > 0)
    .map(({ uid, points }) => ({ uid, points, captured: 0n, at }));
  const postings = [writeOffPosting(deps.random.uid(), customer, reason)];
  await changeBalances(tx, deps, [{ before, postings, holdEnds }], context);
}
