import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { invalid } from "../problems.ts";
import type { NewCoupon } from "./coupon-draft.ts";
import { readOpenCoupons } from "./read-open-coupons.ts";

/**
 * Throws `invalid` if a coupon may not be issued because its customer has too many unused ones, `beingMade` at the platform included. A shopper's
 * browser could otherwise make a code for each point. The balance must be locked, so that simultaneous requests count each other.
 */
export async function assertFewUnused(
  tx: Tx,
  { unusedMax }: Pick<NewCoupon, "unusedMax">,
  customer: CustomerRef,
  { now, beingMade }: { readonly now: Temporal.Instant; readonly beingMade: number },
): Promise<void> {
  if (unusedMax === undefined) return;
  const unused = await readOpenCoupons(tx, customer, { now, limit: unusedMax });
  if (unused.length + beingMade < unusedMax) return;
  throw invalid("/points", `expected fewer than ${unusedMax} unused coupons of the customer: use one first`);
}
