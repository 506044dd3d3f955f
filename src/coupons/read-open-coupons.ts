import type { Queryable } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";
import { readMerged } from "../ledger/merge/merge-queries.ts";

/** A coupon that its customer can still use. */
export interface OpenCoupon {
  readonly code: string;
  readonly pointValue: bigint;
  /** In minor units of the store's currency. */
  readonly currencyValue: bigint;
  readonly expiresAt: Temporal.Instant;
}

const SELECT_OPEN = `select c.code,
  c.point_value as "pointValue",
  c.currency_value as "currencyValue",
  c.expires_at as "expiresAt"
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join coupon c on c.bucket = k.bucket and c.customer_uid = k.customer_uid
where c.state = 'open'
  and c.expires_at > $3
  and not exists (select from coupon_use u where u.coupon_uid = c.uid)
order by c.expires_at, c.code
limit $4`;

/**
 * Returns the coupons of a customer, and of those who were merged into the customer, that no order has used and that have not expired, soonest
 * expiry first.
 */
export async function readOpenCoupons(
  queryable: Queryable,
  customer: CustomerRef,
  { now, limit }: { readonly now: Temporal.Instant; readonly limit: number },
): Promise<OpenCoupon[]> {
  const refs = [customer, ...(await readMerged(queryable, customer))];
  return queryable.query<OpenCoupon>(SELECT_OPEN, [...refKeys(refs), now, limit]);
}
