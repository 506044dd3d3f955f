import type { Deps } from "../../deps.ts";
import { type OrderNames, readOrderNames } from "../../explain/read-order-names.ts";
import type { CustomerCoupon } from "./part-queries.ts";

/** Returns the names of the orders that used coupons, by the coupon's uid. */
export function readCouponOrders(
  deps: Pick<Deps, "db">,
  coupons: readonly CustomerCoupon[],
): Promise<ReadonlyMap<string, OrderNames>> {
  const used = coupons.flatMap(({ uid, usedBy }) =>
    usedBy === null ? [] : [{ uid, parent: `order-${usedBy}`, object: null }],
  );
  return readOrderNames(deps.db, used);
}
