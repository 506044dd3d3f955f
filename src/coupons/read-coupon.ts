import type { Queryable } from "../db/pool.ts";
import { Problem } from "../problems.ts";
import type { CouponStanding } from "./coupon.ts";
import { selectStanding } from "./coupon-queries.ts";

/** The coupon of a code in any case (program.md 2). Throws `coupon_not_found`. */
export async function readCoupon(queryable: Queryable, code: string): Promise<CouponStanding> {
  const coupon = await selectStanding(queryable, code);
  if (coupon === undefined) throw new Problem("coupon_not_found");
  return coupon;
}
