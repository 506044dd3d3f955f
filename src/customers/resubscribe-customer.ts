import type { Tx } from "../db/pool.ts";
import type { UpsertResult } from "./profile/patched-customers.ts";

const RESUBSCRIBE = `update customer
set unsubscribed_at = null
where bucket = $1
  and customer_uid = $2
  and unsubscribed_at is not null`;

/**
 * Enables mails again to a customer whose known "no" to marketing became a "yes", according to a platform or the store's server. A consent
 * with its own time is compared with that of the unsubscription where it is written (`write-profiles`). Files do not count as such a
 * statement.
 */
export async function resubscribeCustomer(
  tx: Tx,
  { before, customer }: Pick<UpsertResult, "before" | "customer">,
): Promise<void> {
  if (before.acceptsMarketing === false && customer.acceptsMarketing === true)
    await tx.execute(RESUBSCRIBE, [customer.bucket, customer.customerUid]);
}
