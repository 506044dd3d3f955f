import { cancelCoupon } from "../coupons/cancel-coupon.ts";
import type { CouponStanding } from "../coupons/coupon.ts";
import type { Tx } from "../db/pool.ts";
import type { PostingDeps } from "../ledger/posting-batch.ts";
import { Problem } from "../problems.ts";
import { deleteRemoval, type Removal } from "./removal-queries.ts";

/**
 * Gives a coupon's points back whose code is gone from the platform, once, whoever else saw it go; one that an order used meanwhile
 * keeps its cost. Answers the coupon, or `used`.
 */
export async function finishRemoval(tx: Tx, deps: PostingDeps, removal: Removal): Promise<CouponStanding | "used"> {
  const { couponUid, code, appReference, state } = removal;
  await deleteRemoval(tx, couponUid);
  try {
    return await cancelCoupon(tx, deps, { code, appReference, state });
  } catch (error) {
    if (error instanceof Problem && error.code === "coupon_used") return "used";
    throw error;
  }
}
