import type { FastifyRequest } from "fastify";
import type { CouponStanding } from "../coupons/coupon.ts";
import type { NewCoupon } from "../coupons/coupon-draft.ts";
import type { CouponVerbs } from "../coupons/routes.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { claimFrom } from "../http/idempotency/idempotency.ts";
import { Problem } from "../problems.ts";
import { cancelPlatformCoupon } from "./cancel-platform-coupon.ts";
import { createCurrencyCheck } from "./create-currency-check.ts";
import { finishDiscountCreation } from "./finish-discount-creation.ts";
import { openCouponPort } from "./index.ts";
import { issuePlatformCoupon } from "./issue-platform-coupon.ts";
import type { CouponPort } from "./platform-port.ts";

const RETRY_S = 2;

/**
 * How coupons are issued and cancelled where a platform can be called: their codes are created and removed at the platform (program.md
 * 2 and 3). Undefined where no platform can be called.
 */
export function platformCouponVerbs(deps: Deps): CouponVerbs | undefined {
  const port = openCouponPort(deps);
  if (port === undefined) return undefined;
  const checked = { ...port, checkCurrency: createCurrencyCheck(deps, port.connection) };
  return {
    issue: (request, input) => issueWithPlatform(deps, checked, request, input),
    cancel: (cancelled) => cancelPlatformCoupon(deps, port.coupons, cancelled),
  };
}

/** An error is thrown inside the transaction that stores it under the Idempotency-Key, or that finds the stored response. */
async function issueWithPlatform(
  deps: Deps,
  { coupons, checkCurrency }: { readonly coupons: CouponPort; readonly checkCurrency: () => Promise<void> },
  request: FastifyRequest,
  input: NewCoupon,
): Promise<(tx: Tx) => Promise<CouponStanding>> {
  try {
    await checkCurrency();
    const live = await issuePlatformCoupon(deps, coupons, { coupon: input, claim: claimFrom(request) });
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
