import type { Deps } from "../deps.ts";
import { selectNextExpiry } from "./discount-removal-queries.ts";
import { openCouponPort } from "./index.ts";

/** The earliest time at which `resolveCoupons` has a code to remove because its coupon expires; null: none, or no platform can be called. */
export async function nextCodeExpiryAt(deps: Pick<Deps, "db" | "config" | "log">): Promise<Temporal.Instant | null> {
  return openCouponPort(deps) === undefined ? null : selectNextExpiry(deps.db);
}
