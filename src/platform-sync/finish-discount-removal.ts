import { cancelCoupon } from "../coupons/cancel-coupon.ts";
import type { CouponStanding } from "../coupons/coupon.ts";
import type { Tx } from "../db/pool.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import { Problem } from "../problems.ts";
import { type DiscountRemoval, deleteDiscountRemoval } from "./discount-removal-queries.ts";

/**
 * Returns, once, the points of a coupon whose code is removed from the platform; a coupon that an order used meanwhile keeps its
 * debit. Returns the coupon, or `used`.
 */
export async function finishDiscountRemoval(
  tx: Tx,
  deps: PostingDeps,
  removal: DiscountRemoval,
): Promise<CouponStanding | "used"> {
  const { couponUid, code, appReference, state } = removal;
  await deleteDiscountRemoval(tx, couponUid);
  try {
    return await cancelCoupon(tx, deps, { code, appReference, state });
  } catch (error) {
    if (error instanceof Problem && error.code === "coupon_used") return "used";
    throw error;
  }
}
