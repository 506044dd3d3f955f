import { cancelCoupon } from "../coupons/cancel-coupon.ts";
import type { CouponStanding } from "../coupons/coupon.ts";
import { readCoupon } from "../coupons/coupon-queries.ts";
import type { Deps } from "../deps.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import { Problem } from "../problems.ts";
import { beginDiscountRemoval, deleteDiscountRemoval, postponeDiscountRemoval } from "./discount-removal-queries.ts";
import { finishDiscountRemoval } from "./finish-discount-removal.ts";
import type { CouponPort } from "./platform-port.ts";

const RETRY_S = 2;

/**
 * Cancels a coupon (program.md 2): removes its code at the platform first and then gives the points back, so that they cannot be
 * used twice (platforms.md 3). Throws `coupon_not_found`; `coupon_used` where an order used it or the platform counted a use;
 * `unavailable` where the platform does not confirm it: the removal continues in the background.
 */
export async function cancelPlatformCoupon(
  deps: PostingDeps & Pick<Deps, "db" | "log">,
  port: CouponPort,
  { code, appReference }: { readonly code: string; readonly appReference: string },
): Promise<CouponStanding> {
  const coupon = await readCoupon(deps.db, code);
  if (coupon.usedBy !== null) throw new Problem("coupon_used");
  if (coupon.state !== "open") return coupon;
  if (coupon.discountRef === null) return deps.db.tx((tx) => cancelCoupon(tx, deps, { code, appReference }));
  const input = { couponUid: coupon.uid, appReference, leaseUid: deps.random.uid() };
  const removal = await beginDiscountRemoval(deps.db, input);
  if (removal === undefined) throw new Problem("unavailable", { retryAfterS: 2 });
  const gone = await port.remove({ ...removal, ref: removal.discountRef });
  if (gone === "unknown") {
    await postponeDiscountRemoval(deps.db, removal, RETRY_S);
    throw new Problem("unavailable", { retryAfterS: RETRY_S + 1 });
  }
  if (gone === "used") {
    await deleteDiscountRemoval(deps.db, coupon.uid);
    throw new Problem("coupon_used");
  }
  const ended = await deps.db.tx((tx) => finishDiscountRemoval(tx, deps, removal));
  if (ended === "used") throw new Problem("coupon_used");
  return ended;
}
