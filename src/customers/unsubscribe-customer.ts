import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { type CustomerRef, refOf } from "../ledger/customer-ref.ts";

const MERGES_MAX = 100;

const MERGED_INTO = `select b.merged_into as "mergedInto"
from balance b
where b.bucket = $1
  and b.customer_uid = $2
  and b.merged_into is not null`;

const UNSUBSCRIBE = `update customer
set unsubscribed_at = coalesce(unsubscribed_at, $3)
where bucket = $1
  and customer_uid = $2`;

/**
 * Ends mails to a customer, and to the one into whom they were merged since, until they consent again. The platform's consent does not
 * change. Returns whether there is such a customer; repeating it changes nothing.
 */
export async function unsubscribeCustomer(tx: Tx, deps: Pick<Deps, "clock">, ref: CustomerRef): Promise<boolean> {
  let { bucket, customerUid } = ref;
  for (let n = 0; n < MERGES_MAX; n++) {
    const [row] = await tx.query<{ mergedInto: string }>(MERGED_INTO, [bucket, customerUid]);
    if (row === undefined) break;
    ({ bucket, customerUid } = refOf(row.mergedInto));
  }
  return (await tx.execute(UNSUBSCRIBE, [bucket, customerUid, deps.clock.now()])) === 1;
}
