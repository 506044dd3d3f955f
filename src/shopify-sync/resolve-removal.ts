import { readCoupon } from "../coupons/read-coupon.ts";
import type { Deps } from "../deps.ts";
import type { ShopifyAdmin } from "../platforms/shopify/settings.ts";
import { nextLookS } from "./creation.ts";
import { finishRemoval } from "./finish-removal.ts";
import { deleteRemoval, postponeRemoval, type Removal } from "./removal-queries.ts";
import { removeCode } from "./remove-code.ts";

/**
 * Goes on with a removal: the code first, then the points. A use that the platform has counted ends a cancellation; an expired coupon
 * waits for the order that used it.
 */
export async function resolveRemoval(deps: Deps, admin: ShopifyAdmin, removal: Removal): Promise<void> {
  const gone = await removeCode(deps, admin, removal.discountRef);
  if (gone === "gone") {
    await deps.db.tx((tx) => finishRemoval(tx, deps, removal));
  } else if (gone === "used" && (removal.state === "cancelled" || (await isUsed(deps, removal)))) {
    await deleteRemoval(deps.db, removal.couponUid);
  } else {
    await postponeRemoval(deps.db, removal, nextLookS(removal.attempts));
  }
}

async function isUsed(deps: Deps, { code }: Removal): Promise<boolean> {
  return (await readCoupon(deps.db, code)).usedBy !== null;
}
