import type { Tx } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";

const FORGET = `delete from customer_tier t
using unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where t.bucket = k.bucket
  and t.customer_uid = k.customer_uid`;

/**
 * Removes the standings of customers who were merged into others, or who are back in the default tier, without floor, skipped check or kept tier: from then
 * on they are like customers who were never placed, whichever tier is the default one. Their history stays. The balances must be locked.
 */
export async function forgetStandings(tx: Tx, customers: readonly CustomerRef[]): Promise<void> {
  if (customers.length > 0) await tx.execute(FORGET, refKeys(customers));
}
