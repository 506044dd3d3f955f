import type { Queryable } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { invalid } from "../problems.ts";
import type { NewCoupon } from "./coupon-draft.ts";
import { readOpenCoupons } from "./read-open-coupons.ts";

/**
 * Throws `invalid` if a coupon may not be issued because its customer has too many unused ones. A shopper's browser could otherwise make a code at the
 * platform for each point.
 */
export async function assertFewUnused(
  queryable: Queryable,
  { unusedMax }: Pick<NewCoupon, "unusedMax">,
  customer: CustomerRef,
  now: Temporal.Instant,
): Promise<void> {
  if (unusedMax === undefined) return;
  const unused = await readOpenCoupons(queryable, customer, { now, limit: unusedMax });
  if (unused.length < unusedMax) return;
  throw invalid("/points", `expected fewer than ${unusedMax} unused coupons of the customer: use one first`);
}
