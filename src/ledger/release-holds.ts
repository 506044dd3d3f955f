import type { Tx } from "../db/pool.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../webhooks/read-active-subscriptions.ts";
import { changeBalances } from "./change-balances.ts";
import type { CustomerRef } from "./customer-ref.ts";
import { selectHeld } from "./hold-queries.ts";
import { lockBalances } from "./lock-balances.ts";
import type { PostingDeps } from "./posting-batch.ts";
import { readBatchContext } from "./read-batch-context.ts";

/**
 * Releases every hold of a customer that has an end of its own, so that the whole balance can be written off or moved. A hold
 * without one stays: only who made it knows when its points are free (program.md 3). Answers how many ended.
 */
export async function releaseHolds(tx: Tx, deps: PostingDeps, customer: CustomerRef): Promise<number> {
  const [, [before], context, held] = await Promise.all([
    tx.execute(LOCK_SUBSCRIPTIONS_SHARED),
    lockBalances(tx, [customer]),
    readBatchContext(tx),
    selectHeld(tx, customer),
  ]);
  const at = deps.clock.now();
  const holdEnds = held
    .filter(({ expiresAt }) => expiresAt !== null && Temporal.Instant.compare(expiresAt, at) > 0)
    .map(({ uid, points }) => ({ uid, points, captured: 0n, at }));
  if (before === undefined || holdEnds.length === 0) return 0;
  await changeBalances(tx, deps, [{ before, postings: [], holdEnds }], context);
  return holdEnds.length;
}
