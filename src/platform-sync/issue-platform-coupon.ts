import { setTimeout as delay } from "node:timers/promises";
import type { NewCoupon } from "../coupons/coupon-draft.ts";
import { selectByStorefrontId } from "../customers/customer-queries.ts";
import type { Deps } from "../deps.ts";
import type { IdempotencyClaim } from "../http/idempotency/idempotency.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import { type Fault, Problem } from "../problems.ts";
import { abandonDiscountCreation } from "./abandon-discount-creation.ts";
import { beginDiscountCreation } from "./begin-discount-creation.ts";
import { codeInput, type LeasedDiscountCreation } from "./discount-creation.ts";
import { markIdle } from "./discount-creation-queries.ts";
import type { CouponPort } from "./platform-port.ts";

/** A creation whose code exists at the platform, but whose points are not yet debited. */
export interface LiveDiscountCreation {
  readonly creation: LeasedDiscountCreation;
  readonly discountRef: string;
}

const POLL_MS = 50;
const BUSY_MAX_MS = 10_000;
/** Retry-After in seconds where the outcome is unknown. A retry with the same Idempotency-Key continues the creation. */
const UNKNOWN_RETRY_S = 5;

/**
 * Holds a coupon's points and creates its code at the platform, in that order and never in one transaction (program.md 2 and
 * 3). Returns what `finishDiscountCreation` needs, or `answered` where the response to the Idempotency-Key is stored already. Throws
 * what `beginDiscountCreation` throws. Where the platform rejects the values it throws `invalid` (422), and where the platform cannot be
 * used now `unavailable` (503); in both cases the points are returned. Where the outcome is unknown it throws `unavailable`, and the
 * points stay held until the outcome is known.
 */
export async function issuePlatformCoupon(
  deps: PostingDeps & Pick<Deps, "db" | "log">,
  port: CouponPort,
  input: { readonly coupon: NewCoupon; readonly claim: IdempotencyClaim | null },
): Promise<LiveDiscountCreation | "answered"> {
  const creation = await beginOrWait(deps, port, input);
  if (creation === "answered") return creation;
  const email = (await selectByStorefrontId(deps.db, creation.storefrontId))?.email ?? null;
  const result = await port.create(codeInput(creation, email), creation.attempts > 0);
  if (result.kind === "live") return { creation, discountRef: result.ref };
  if (result.kind === "unknown") {
    await markIdle(deps.db, creation);
    throw new Problem("unavailable", { retryAfterS: UNKNOWN_RETRY_S });
  }
  await deps.db.tx((tx) => abandonDiscountCreation(tx, deps, creation, { mayLand: creation.attempts > 0 }));
  throw refusal(result.faults, result.waitMs);
}

async function beginOrWait(
  deps: PostingDeps & Pick<Deps, "db">,
  port: CouponPort,
  input: { readonly coupon: NewCoupon; readonly claim: IdempotencyClaim | null },
): Promise<LeasedDiscountCreation | "answered"> {
  const startedMs = performance.now();
  for (;;) {
    const begun = await deps.db.tx((tx) => beginDiscountCreation(tx, deps, port, input));
    if (begun !== "busy") return begun;
    if (performance.now() - startedMs > BUSY_MAX_MS) throw new Problem("idempotency_running");
    await delay(POLL_MS);
  }
}

/** A code that is already taken is not the client's fault, so the error asks for a retry, which generates another code. */
function refusal(faults: readonly Fault[], waitMs: number): Problem {
  if (faults.length > 0) return new Problem("invalid", { faults: [...faults] });
  return new Problem("unavailable", { retryAfterS: waitMs / 1_000 });
}
