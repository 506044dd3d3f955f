import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import { runEach } from "../orders/run-each.ts";
import { platformCan } from "../platforms/index.ts";
import type { Coupon } from "./coupon.ts";
import { closeCoupon, lockDue, selectUsed } from "./coupon-queries.ts";
import { returnCoupon } from "./return-coupon.ts";

/**
 * Returns the points of coupons that nobody used within their lifetime and the grace period after it (program.md 2), one coupon per
 * transaction; several nodes may do so at once. If codes are created at a platform, coupons whose code still works there are left to
 * `platform-sync`, which removes the codes first. Returns how many coupons were closed, including used ones.
 */
export async function expireCoupons(deps: PostingDeps & Pick<Deps, "db" | "log">): Promise<number> {
  return runEach<Coupon>(deps, {
    what: "expiring a coupon",
    idOf: ({ uid }) => uid,
    lockNext: (tx, seen) =>
      lockDue(tx, { now: deps.clock.now(), seen, isAlone: !platformCan(deps.config.platforms, "coupon-codes") }),
    work: (tx, coupon) => expire(tx, deps, coupon),
  });
}

async function expire(tx: Tx, deps: PostingDeps, coupon: Coupon): Promise<void> {
  const used = await selectUsed(tx, [coupon]);
  if (used.has(coupon.uid)) await closeCoupon(tx, coupon.uid, { state: "used", returnedPoints: 0n });
  else await returnCoupon(tx, deps, coupon, { state: "expired", appReference: "pointkeeper" });
}
