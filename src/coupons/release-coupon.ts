import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { platformCan } from "../platforms/index.ts";
import { lockByCode, markReleased, selectStanding } from "./coupon-queries.ts";

/**
 * Records that a code left a storefront's cart (docs/decisions/0011). Its points are returned once `platform-sync` has removed the code
 * from the platform, because until then the customer could still use it. Returns `ends_later` if nobody can remove the code, so that its
 * points are returned at its end; a code that is not ours, was used or has ended changes nothing.
 */
export async function releaseCoupon(
  tx: Tx,
  deps: Pick<Deps, "clock" | "config">,
  code: string,
): Promise<"released" | "ends_later" | "unchanged"> {
  await lockByCode(tx, code);
  const coupon = await selectStanding(tx, code);
  if (coupon === undefined || coupon.state !== "open" || coupon.usedBy !== null) return "unchanged";
  if (coupon.discountRef === null || !platformCan(deps.config.platforms, "coupon-codes")) return "ends_later";
  await markReleased(tx, coupon.uid, deps.clock.now());
  return "released";
}
