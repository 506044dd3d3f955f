import type { Tx } from "../db/pool.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import { integrationName } from "../orders/store-order.ts";
import { platformCan } from "../platforms/index.ts";
import type { CouponDeleted } from "../platforms/neutral-events.ts";
import { lockByDiscount, markReleased, selectUsed } from "./coupon-queries.ts";
import { returnCoupon } from "./return-coupon.ts";

/** The code that was removed at the platform: at least one of the first two fields is known. */
export interface DeletedCoupon {
  readonly discountRef: string | null;
  /** In any case. */
  readonly code: string | null;
  /** Absent: the code no longer exists. */
  readonly reason?: CouponDeleted["payload"]["reason"];
  /** The platform of the event; absent: the configured one. */
  readonly platform?: string;
}

/**
 * Returns the points of an unused coupon whose code was removed at the platform (platforms.md 3). A coupon that was used or whose points
 * were already returned, and a code that is not ours, change nothing. A discount that has only expired still exists: somebody may prolong
 * it, and an order from before may be reported late. So where codes can be removed, its points are returned once the code is removed.
 */
export async function couponDeleted(tx: Tx, deps: PostingDeps, deleted: DeletedCoupon): Promise<void> {
  const coupons = await lockByDiscount(tx, deleted.discountRef, deleted.code);
  if (coupons.length === 0) return;
  const used = await selectUsed(tx, coupons);
  const unused = coupons.filter(({ uid, state }) => state === "open" && !used.has(uid));
  const platform = deleted.platform ?? deps.config.platform;
  const appReference = platform === undefined ? "pointkeeper" : integrationName(platform);
  const stillExists = deleted.reason === "expired" && platformCan(deps.config.platforms, "coupon-codes");
  for (const coupon of unused) {
    if (stillExists && coupon.discountRef !== null) await markReleased(tx, coupon.uid, deps.clock.now());
    else await returnCoupon(tx, deps, coupon, { state: "cancelled", appReference });
  }
}
