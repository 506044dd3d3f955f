import type { Queryable } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";

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
from coupon c
where c.bucket = $1
  and c.customer_uid = $2
  and c.state = 'open'
  and c.expires_at > $3
  and not exists (select from coupon_use u where u.coupon_uid = c.uid)
order by c.expires_at, c.code
limit $4`;

/** Returns the coupons of a customer that no order has used and that have not expired, soonest expiry first. */
export function readOpenCoupons(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  { now, limit }: { readonly now: Temporal.Instant; readonly limit: number },
): Promise<OpenCoupon[]> {
  return queryable.query<OpenCoupon>(SELECT_OPEN, [bucket, customerUid, now, limit]);
}
