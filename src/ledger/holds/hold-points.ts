import type { Tx } from "../../db/pool.ts";
import { Problem } from "../../problems.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../../webhooks/read-active-topics.ts";
import { lockLiveBalances } from "../balance-queries.ts";
import { changeBalances } from "../change-balances.ts";
import type { CustomerRef } from "../customer-ref.ts";
import { readBatchContext } from "../queue/batch-queries.ts";
import type { PostingDeps } from "../queue/posting-batch.ts";
import type { Hold } from "./hold.ts";
import { insertHold } from "./hold-queries.ts";

export interface NewHold {
  readonly customer: CustomerRef;
  /** At least 1. */
  readonly points: bigint;
  /** Seconds after which the hold ends by itself; null: it lasts until somebody ends it. */
  readonly ttlSeconds: number | null;
  readonly appReference: string;
}

/**
 * Holds points of a customer (program.md 3): from now on they are not available, and they do not expire while they are held. No allotment is
 * written. Due points are written off first, as before any posting. Throws `negative_balance` if fewer points are available. Sends no
 * webhook, because nothing was earned or spent.
 */
export async function holdPoints(tx: Tx, deps: PostingDeps, input: NewHold): Promise<Hold> {
  const { customer, points, ttlSeconds, appReference } = input;
  const [, [before], context] = await Promise.all([
    tx.execute(LOCK_SUBSCRIPTIONS_SHARED),
    lockLiveBalances(tx, [customer]),
    readBatchContext(tx),
  ]);
  if (before === undefined) throw new Error(`customer ${customer.customerUid} has no balance`);
  const heldAt = deps.clock.now();
  const [change] = await changeBalances(tx, deps, [{ before, postings: [] }], context);
  const { ledgerPoints, heldPoints } = change?.after ?? before;
  if (ledgerPoints - heldPoints < points) throw new Problem("negative_balance");
  const hold: Hold = {
    uid: deps.random.uid(),
    customer: { bucket: before.bucket, customerUid: before.customerUid },
    points,
    state: "held",
    captured: 0n,
    expiresAt: ttlSeconds === null ? null : heldAt.add({ seconds: ttlSeconds }),
  };
  await insertHold(tx, hold, { appReference, heldAt });
  return hold;
}
