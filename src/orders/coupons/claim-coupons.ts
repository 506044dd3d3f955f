import type { Tx } from "../../db/pool.ts";
import { staleRead } from "../../db/stale-read.ts";
import type { Deps } from "../../deps.ts";
import type { CouponUse, StoreOrder } from "../store-order.ts";
import { insertUse, type LockedCoupon, lockCoupons, selectUsers, selectUses } from "./coupon-use-queries.ts";

export interface ClaimedCoupons {
  /** The coupons that the order used, with the cost of each. */
  readonly uses: readonly CouponUse[];
  /**
   * Coupons used now whose points were already returned: the points have to be taken again before the use is stored. Not those of a deleted customer: if a
   * merge undoes the deletion and gives the points back, the survivor's orders are posted again and use them then.
   */
  readonly late: readonly LockedCoupon[];
  /**
   * Call it once the balance of the order's customer is locked: it makes the transaction start over if a merge has undone such a deletion by then. The
   * merge did not see this order.
   */
  readonly confirmCoupons: () => Promise<void>;
}

const NONE = { late: [], confirmCoupons: async () => {} };

/**
 * Marks the coupons of the order's codes as used by it; the first order counts (program.md 2, Coupons). Returns all coupons that it used. Locks them
 * until the transaction ends. A test order uses none.
 */
export async function claimCoupons(tx: Tx, deps: Pick<Deps, "clock">, order: StoreOrder): Promise<ClaimedCoupons> {
  const { orderId, facts } = order;
  if (facts.codes.length === 0) return { ...NONE, uses: [] };
  if (facts.test) return { ...NONE, uses: await selectUses(tx, orderId) };
  const coupons = await lockCoupons(
    tx,
    facts.codes.map(({ code }) => code),
  );
  if (coupons.length === 0) return { ...NONE, uses: [] };
  const users = await selectUsers(
    tx,
    coupons.map(({ uid }) => uid),
  );
  const fresh = coupons.filter(({ uid }) => !users.has(uid));
  const usedAt = deps.clock.now();
  for (const coupon of fresh) {
    if (!coupon.isReturned) await insertUse(tx, coupon, { orderId, usedAt, isLate: false });
  }
  const returned = fresh.filter(({ isReturned }) => isReturned);
  const unowned = returned.filter(({ isHolderDeleted }) => isHolderDeleted).map(({ code }) => code);
  const confirmCoupons = async (): Promise<void> => {
    const again = unowned.length === 0 ? [] : await lockCoupons(tx, unowned);
    if (again.some(({ isHolderDeleted }) => !isHolderDeleted)) {
      throw staleRead(`the points of a coupon of order ${orderId} came back meanwhile`);
    }
  };
  const late = returned.filter(({ isHolderDeleted }) => !isHolderDeleted);
  return { uses: await selectUses(tx, orderId), late, confirmCoupons };
}
