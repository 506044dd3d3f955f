import { requestOrderReviews } from "../../customers/request-order-reviews.ts";
import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { type CustomerRef, refKeys } from "../../ledger/customer-ref.ts";

const SELECT = `select distinct o.bucket,
  o.customer_uid as "customerUid"
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join store_order o on o.bucket = k.bucket and o.customer_uid = k.customer_uid
where o.received_at >= $3`;

const EVER = Temporal.Instant.fromEpochMilliseconds(0);

/**
 * Requests the re-evaluation of those orders of customers that became known at or after a time (null: all of them). Call it in the
 * transaction in which a file of another app gives the customers something, or is undone, because the file may contain what the orders
 * count. The balances must be locked, as for `requestOrderReviews`.
 */
export async function requestMoveReviews(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  customers: readonly CustomerRef[],
  receivedFrom: Temporal.Instant | null,
): Promise<void> {
  if (customers.length === 0) return;
  const found = await tx.query<CustomerRef>(SELECT, [...refKeys(customers), receivedFrom ?? EVER]);
  await requestOrderReviews(tx, deps, found, { cause: "move", from: EVER });
}
