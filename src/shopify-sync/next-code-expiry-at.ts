import type { Deps } from "../deps.ts";
import { selectNextExpiry } from "./discount-removal-queries.ts";

/** The earliest time at which `resolveCoupons` has a code to remove because its coupon expires; null: none, or there is no token. */
export async function nextCodeExpiryAt(deps: Pick<Deps, "db" | "config">): Promise<Temporal.Instant | null> {
  return deps.config.platforms.shopify.admin === undefined ? null : selectNextExpiry(deps.db);
}
