import type { Deps } from "../deps.ts";
import { platformCan } from "../platforms/index.ts";
import { selectNextExpiry } from "./discount-removal-queries.ts";

/** The next time at which `resolveCoupons` has to remove an expired coupon's code; null where there is none or no platform can be called. */
export async function nextCodeExpiryAt(deps: Pick<Deps, "db" | "config">): Promise<Temporal.Instant | null> {
  return platformCan(deps.config.platforms, "coupon-codes") ? selectNextExpiry(deps.db) : null;
}
