import { formatInstant } from "../time/store-time.ts";
import type { CouponStanding } from "./coupon.ts";

/** A coupon's fields on the wire (program.md 2, Coupons). What came back before a late use was taken again: it does not count. */
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
