import type { Tx } from "../db/pool.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import { Problem } from "../problems.ts";
import type { CouponStanding } from "./coupon.ts";
import { lockByCode, selectStanding } from "./coupon-queries.ts";
import { returnCoupon } from "./return-coupon.ts";

export interface CouponEnd {
  /** In any case. */
  readonly code: string;
  readonly appReference: string;
  /** The resulting state; cancelled if absent. */
  readonly state?: "cancelled" | "expired";
}

/**
 * Cancels a coupon by its code in any case (program.md 2): its points are returned. A coupon that was cancelled or has expired is returned
 * unchanged, because its points are returned only once. Throws `coupon_not_found`, or `coupon_used` if an order used it.
 */
export async function cancelCoupon(
  tx: Tx,
  deps: PostingDeps,
  { code, appReference, state = "cancelled" }: CouponEnd,
): Promise<CouponStanding> {
  await lockByCode(tx, code);
  const coupon = await selectStanding(tx, code);
  if (coupon === undefined) throw new Problem("coupon_not_found");
  if (coupon.usedBy !== null) throw new Problem("coupon_used");
  if (coupon.state !== "open") return coupon;
  await returnCoupon(tx, deps, coupon, { state, appReference });
  const cancelled = await selectStanding(tx, code);
  if (cancelled === undefined) throw new Error(`coupon ${coupon.uid} vanished`);
  return cancelled;
}
