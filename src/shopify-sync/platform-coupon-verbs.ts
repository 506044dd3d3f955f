import type { FastifyRequest } from "fastify";
import type { CouponStanding } from "../coupons/coupon.ts";
import type { NewCoupon } from "../coupons/coupon-draft.ts";
import type { CouponVerbs } from "../coupons/routes.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { claimFrom } from "../http/idempotency.ts";
import type { ShopifyAdmin } from "../platforms/shopify/settings.ts";
import { Problem } from "../problems.ts";
import { cancelPlatformCoupon } from "./cancel-platform-coupon.ts";
import { finishDiscountCreation } from "./finish-discount-creation.ts";
import { issuePlatformCoupon } from "./issue-platform-coupon.ts";

const RETRY_S = 2;

/**
 * How coupons are issued and cancelled where there is a token: their codes are created and removed at the platform (program.md
 * 2 and 3). Undefined: there is none.
 */
export function platformCouponVerbs(deps: Deps): CouponVerbs | undefined {
  const admin = deps.config.platforms.shopify.admin;
  if (admin === undefined) return undefined;
  return {
    issue: (request, input) => issueWithPlatform(deps, admin, request, input),
    cancel: (cancelled) => cancelPlatformCoupon(deps, admin, cancelled),
  };
}

/** A refusal is thrown in the transaction that stores it under the request's Idempotency-Key, or finds an earlier answer there. */
async function issueWithPlatform(
  deps: Deps,
  admin: ShopifyAdmin,
  request: FastifyRequest,
  input: NewCoupon,
): Promise<(tx: Tx) => Promise<CouponStanding>> {
  try {
    const live = await issuePlatformCoupon(deps, admin, { coupon: input, claim: claimFrom(request) });
    return async (tx) => {
      const coupon =
        live === "answered" ? null : await finishDiscountCreation(tx, deps, live.creation, live.discountRef);
      if (coupon === null) throw new Problem("unavailable", { retryAfterS: RETRY_S });
      return coupon;
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return () => Promise.reject(error);
  }
}
