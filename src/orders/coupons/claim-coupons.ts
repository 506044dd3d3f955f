import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import type { CouponUse, StoreOrder } from "../store-order.ts";
import { insertUse, type LockedCoupon, lockCoupons, selectUsers, selectUses } from "./coupon-use-queries.ts";

export interface ClaimedCoupons {
  /** The coupons that the order used, with the cost of each. */
  readonly uses: readonly CouponUse[];
  /**
   * Coupons used now whose points were already returned: the points have to be taken again before the use is stored. Not those of a deleted customer: if a
   * merge undoes the deletion and gives the points back, the order is posted again and uses them then.
   */
  readonly late: readonly LockedCoupon[];
}

/**
 * Marks the coupons of the order's codes as used by it; the first order counts (program.md 2, Coupons). Returns all coupons that it used. Locks them
 * until the transaction ends. A test order uses none.
 */
export async function claimCoupons(tx: Tx, deps: Pick<Deps, "clock">, order: StoreOrder): Promise<ClaimedCoupons> {
  const { orderId, facts } = order;
  if (facts.codes.length === 0) return { uses: [], late: [] };
  if (facts.test) return { uses: await selectUses(tx, orderId), late: [] };
  const coupons = await lockCoupons(
    tx,
    facts.codes.map(({ code }) => code),
  );
  if (coupons.length === 0) return { uses: [], late: [] };
  const users = await selectUsers(
    tx,
    coupons.map(({ uid }) => uid),
  );
  const fresh = coupons.filter(({ uid }) => !users.has(uid));
  const usedAt = deps.clock.now();
  for (const coupon of fresh) {
    if (!coupon.isReturned) await insertUse(tx, coupon, { orderId, usedAt, isLate: false });
  }
  const late = fresh.filter(({ isReturned, isHolderDeleted }) => isReturned && !isHolderDeleted);
  return { uses: await selectUses(tx, orderId), late };
}
