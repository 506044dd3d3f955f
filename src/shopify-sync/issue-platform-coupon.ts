import { setTimeout as delay } from "node:timers/promises";
import type { NewCoupon } from "../coupons/coupon-draft.ts";
import type { Deps } from "../deps.ts";
import type { IdempotencyClaim } from "../http/idempotency.ts";
import type { PostingDeps } from "../ledger/posting-batch.ts";
import type { UserError } from "../platforms/shopify/admin/answer.ts";
import type { ShopifyAdmin } from "../platforms/shopify/settings.ts";
import { type Fault, Problem } from "../problems.ts";
import { abandonDiscountCreation } from "./abandon-discount-creation.ts";
import { beginDiscountCreation } from "./begin-discount-creation.ts";
import { createCode } from "./create-code.ts";
import type { LeasedDiscountCreation } from "./discount-creation.ts";
import { markIdle } from "./discount-creation-queries.ts";

/** A creation whose code exists at the platform; its points are still to be taken. */
export interface LiveDiscountCreation {
  readonly creation: LeasedDiscountCreation;
  readonly discountRef: string;
}

const POLL_MS = 50;
const BUSY_MAX_MS = 10_000;
/** The same Idempotency-Key continues a coupon whose request was not answered. */
const UNKNOWN_RETRY_S = 5;

/**
 * Holds a coupon's points and creates its code at the platform, in that order and never in one transaction (program.md 2 and
 * 3). Returns what `finishDiscountCreation` needs, or `answered` where the request's Idempotency-Key has its answer. Throws
 * what `beginDiscountCreation` throws; `invalid` (422) where the platform does not take the values and `unavailable` (503)
 * where it cannot be used now, the points being back; `unavailable` where what it did is unknown: the points stay held until
 * that is known.
 */
export async function issuePlatformCoupon(
  deps: PostingDeps & Pick<Deps, "db" | "log">,
  admin: ShopifyAdmin,
  input: { readonly coupon: NewCoupon; readonly claim: IdempotencyClaim | null },
): Promise<LiveDiscountCreation | "answered"> {
  const creation = await beginOrWait(deps, input);
  if (creation === "answered") return creation;
  const result = await createCode(deps, admin, creation);
  if (result.kind === "live") return { creation, discountRef: result.ref };
  if (result.kind === "unknown") {
    await markIdle(deps.db, creation);
    throw new Problem("unavailable", { retryAfterS: UNKNOWN_RETRY_S });
  }
  await deps.db.tx((tx) => abandonDiscountCreation(tx, deps, creation, { mayLand: creation.attempts > 0 }));
  throw refusal(result.errors, result.waitMs);
}

async function beginOrWait(
  deps: PostingDeps & Pick<Deps, "db">,
  input: { readonly coupon: NewCoupon; readonly claim: IdempotencyClaim | null },
): Promise<LeasedDiscountCreation | "answered"> {
  const startedMs = performance.now();
  for (;;) {
    const begun = await deps.db.tx((tx) => beginDiscountCreation(tx, deps, input));
    if (begun !== "busy") return begun;
    if (performance.now() - startedMs > BUSY_MAX_MS) throw new Problem("idempotency_running");
    await delay(POLL_MS);
  }
}

/** Where a value of the platform's input came from in `POST /coupons`. */
function faultOf({ field, message }: UserError): Fault {
  const at = field.join("/");
  const pointer = /product/i.test(at) ? "/product_ids" : /customer|context/i.test(at) ? "/customer_id" : undefined;
  const detail = `the platform: ${message}`;
  return pointer === undefined ? { detail } : { detail, pointer };
}

/** A code that is taken already is no fault of the request: another try creates another. */
function refusal(errors: readonly UserError[], waitMs: number): Problem {
  const isOfRequest = errors.length > 0 && errors.every(({ field }) => field.at(-1) !== "code");
  if (isOfRequest) return new Problem("invalid", { faults: errors.map(faultOf) });
  return new Problem("unavailable", { retryAfterS: waitMs / 1_000 });
}
