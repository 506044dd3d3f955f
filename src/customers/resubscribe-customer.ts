import type { Tx } from "../db/pool.ts";
import type { UpsertResult } from "./patched-customers.ts";

const RESUBSCRIBE = `update customer
set unsubscribed_at = null
where bucket = $1
  and customer_uid = $2
  and unsubscribed_at is not null`;

/**
 * Mails are sent again to a customer of whom a platform or the store's server says now that a known "no" to marketing became a "yes". A consent
 * that comes with its time is compared with that of the unsubscription where it is written (`write-profiles`). Files say no such thing.
 */
export async function resubscribeCustomer(
  tx: Tx,
  { before, customer }: Pick<UpsertResult, "before" | "customer">,
): Promise<void> {
  if (before.acceptsMarketing === false && customer.acceptsMarketing === true)
    await tx.execute(RESUBSCRIBE, [customer.bucket, customer.customerUid]);
}
