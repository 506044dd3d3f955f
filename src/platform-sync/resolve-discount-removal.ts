import { readCoupon } from "../coupons/coupon-queries.ts";
import type { Deps } from "../deps.ts";
import { nextLookS } from "./discount-creation.ts";
import { type DiscountRemoval, deleteDiscountRemoval, postponeDiscountRemoval } from "./discount-removal-queries.ts";
import { finishDiscountRemoval } from "./finish-discount-removal.ts";
import type { CouponPort } from "./platform-port.ts";

/**
 * Continues a removal: first the code, then the points. A use that the platform has counted ends a cancellation; an expired coupon
 * waits for the order that used it.
 */
export async function resolveDiscountRemoval(deps: Deps, port: CouponPort, removal: DiscountRemoval): Promise<void> {
  const gone = await port.remove({ ...removal, ref: removal.discountRef });
  if (gone === "gone") {
    await deps.db.tx((tx) => finishDiscountRemoval(tx, deps, removal));
  } else if (gone === "used" && (removal.state === "cancelled" || (await isUsed(deps, removal)))) {
    await deleteDiscountRemoval(deps.db, removal.couponUid);
  } else {
    await postponeDiscountRemoval(deps.db, removal, nextLookS(removal.attempts));
  }
}

async function isUsed(deps: Deps, { code }: DiscountRemoval): Promise<boolean> {
  return (await readCoupon(deps.db, code)).usedBy !== null;
}
