import { formatInstant } from "../time/store-time.ts";
import type { CouponStanding } from "./coupon.ts";

/** Returns a coupon on the wire (program.md 2, Coupons). Points that were returned before a late use were taken again, so they do not count. */
export function couponView(coupon: CouponStanding) {
  const points_reimbursed = coupon.reimbursedPoints + (coupon.isLate ? 0n : coupon.returnedPoints);
  return {
    data: {
      id: coupon.uid,
      code: coupon.code,
      currency_value: coupon.currencyValue,
      point_value: coupon.pointValue,
      points_reimbursed,
      pos_discount: false,
      reimbursement_cascade: coupon.reimbursedPoints > 0n,
      expires_at: formatInstant(coupon.expiresAt),
    },
  };
}
