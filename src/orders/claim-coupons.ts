import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { insertUse, type LockedCoupon, lockCoupons, selectUsers, selectUses } from "./coupon-use-queries.ts";
import type { CouponUse, StoreOrder } from "./store-order.ts";

export interface ClaimedCoupons {
  /** What the order used, and what each cost. */
  readonly uses: readonly CouponUse[];
  /** Used by it now, after the points came back: they have to be taken again before the use is written down. */
  readonly late: readonly LockedCoupon[];
}

/**
 * Marks the coupons of the order's codes as used by it, the first order counting (program.md 2, Coupons), and returns all
 * that it used. Locks them until the transaction ends. A test order uses none.
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
  return { uses: await selectUses(tx, orderId), late: fresh.filter(({ isReturned }) => isReturned) };
}
