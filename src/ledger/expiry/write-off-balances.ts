import type { Tx } from "../../db/pool.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../../webhooks/read-active-topics.ts";
import { POINTS_MAX } from "../allotment-types.ts";
import { lockUnmergedBalances } from "../balance-queries.ts";
import { changeBalances } from "../change-balances.ts";
import type { CustomerRef } from "../customer-ref.ts";
import { selectHeld } from "../holds/hold-queries.ts";
import { type Posting, plainPosting } from "../posting.ts";
import { readBatchContext } from "../queue/batch-queries.ts";
import type { PostingDeps } from "../queue/posting-batch.ts";

/** Who reports that a deleted customer's points are written off, and why this happens later than the deletion itself. */
export interface WriteOff {
  readonly appReference: string;
  /** The uid of the hold that kept the points, or of the customer who was merged into the deleted one; null: the deletion itself. */
  readonly after: string | null;
}

/** Returns the posting that takes all available points of a deleted customer (type `deletion`, program.md 3), once per reason. */
function writeOffPosting(
  uid: string,
  { customerUid }: Pick<CustomerRef, "customerUid">,
  { appReference, after }: WriteOff,
): Posting {
  const change = { kind: "add", pointValue: -POINTS_MAX, shortfall: "cap" } as const;
  const key = `deletion/${customerUid}`;
  return {
    ...plainPosting(uid, "deletion", appReference, change),
    sourceKey: after === null ? key : `${key}/${after}`,
  };
}

/**
 * Closes the balances of deleted customers, once per reason: releases their holds that have an end, and writes off all available points. A hold
 * without an end stays: only the code that created it knows when its points are free, and `endHold` writes them off then (program.md 3).
 */
export async function writeOffBalances(
  tx: Tx,
  deps: PostingDeps,
  customers: readonly CustomerRef[],
  reason: WriteOff,
): Promise<void> {
  const [, locked, context, held] = await Promise.all([
    tx.execute(LOCK_SUBSCRIPTIONS_SHARED),
    lockUnmergedBalances(tx, customers),
    readBatchContext(tx),
    selectHeld(tx, customers),
  ]);
  const known = new Set(locked.map(({ customerUid }) => customerUid));
  const missing = customers.find(({ customerUid }) => !known.has(customerUid));
  if (missing !== undefined) throw new Error(`customer ${missing.customerUid} has no balance`);
  const at = deps.clock.now();
  const endsOf = Map.groupBy(
    held.filter(({ expiresAt }) => expiresAt !== null && Temporal.Instant.compare(expiresAt, at) > 0),
    ({ customer }) => customer.customerUid,
  );
  const groups = locked.map((before) => ({
    before,
    postings: [writeOffPosting(deps.random.uid(), before, reason)],
    holdEnds: (endsOf.get(before.customerUid) ?? []).map(({ uid, points }) => ({ uid, points, captured: 0n, at })),
  }));
  await changeBalances(tx, deps, groups, context);
}
