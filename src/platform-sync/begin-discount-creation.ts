import { assertFewUnused } from "../coupons/assert-few-unused.ts";
import { CODE_BYTES, couponCode } from "../coupons/coupon.ts";
import { draftCoupon, type NewCoupon } from "../coupons/coupon-draft.ts";
import { findCustomer } from "../customers/find-customer.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { type IdempotencyClaim, keyTime, LOCK_KEYS, lockText, readStored } from "../http/idempotency/idempotency.ts";
import { holdPoints } from "../ledger/holds/hold-points.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import { invalid, Problem } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";
import { creationClaim, type DiscountCreationClaim, type LeasedDiscountCreation } from "./discount-creation.ts";
import {
  countDiscountCreations,
  insertDiscountCreation,
  lockClaimed,
  takeDiscountCreation,
} from "./discount-creation-queries.ts";
import type { CouponPort } from "./platform-port.ts";

/** `answered`: the response to this Idempotency-Key is stored already. `busy`: another request with the same key is in progress. */
export type Begun = LeasedDiscountCreation | "answered" | "busy";

/**
 * Holds a coupon's points until its code is created at the platform (program.md 2 and 3), or continues what an earlier request with the
 * same Idempotency-Key began. Throws `customer_not_found`, `ambiguous_email`, `negative_balance`, `idempotency_mismatch`, or
 * `invalid` where the coupon's value is too large, the customer has too many unused coupons, or the platform knows no such customer or
 * product.
 */
export async function beginDiscountCreation(
  tx: Tx,
  deps: PostingDeps,
  port: CouponPort,
  { coupon, claim }: { readonly coupon: NewCoupon; readonly claim: IdempotencyClaim | null },
): Promise<Begun> {
  if (claim === null) return begin(tx, deps, port, { coupon, claim: null });
  const key = lockText(claim);
  await tx.query(LOCK_KEYS, [[key]]);
  const [stored] = await readStored(tx, [claim], keyTime(deps.clock));
  if (stored !== undefined) return "answered";
  const earlier = await lockClaimed(tx, key);
  if (earlier === undefined) return begin(tx, deps, port, { coupon, claim: creationClaim(claim, key) });
  if (!earlier.fingerprint.equals(claim.fingerprint)) throw new Problem("idempotency_mismatch");
  return earlier.isBusy ? "busy" : takeDiscountCreation(tx, earlier.uid, deps.random.uid());
}

async function begin(
  tx: Tx,
  deps: PostingDeps,
  port: CouponPort,
  { coupon, claim }: { readonly coupon: NewCoupon; readonly claim: DiscountCreationClaim | null },
): Promise<LeasedDiscountCreation> {
  const [customer, program] = await Promise.all([findCustomer(tx, coupon.customer), readProgram(tx)]);
  const { storefrontId, email } = customer;
  const foreign = port.foreignFault({ storefrontId, email, productIds: coupon.productIds });
  if (foreign !== null) throw new Problem("invalid", { faults: [foreign] });
  const now = deps.clock.now();
  const draft = draftCoupon(program, coupon, { uid: deps.random.uid(), customer, at: now });
  if (draft === null) throw invalid("/point_value", "expected fewer points: the coupon's worth is too large");
  const { pointValue: points, appReference } = coupon;
  const hold = await holdPoints(tx, deps, { customer: draft.customer, points, ttlSeconds: null, appReference });
  const beingMade = coupon.unusedMax === undefined ? 0 : await countDiscountCreations(tx, draft.customer);
  await assertFewUnused(tx, coupon, draft.customer, { now, beingMade });
  const creation: LeasedDiscountCreation = {
    draft,
    code: newCode(deps),
    state: "creating",
    holdUid: hold.uid,
    storefrontId,
    currency: program.store.currency,
    attempts: 0,
    leaseUid: deps.random.uid(),
  };
  await insertDiscountCreation(tx, creation, claim);
  return creation;
}

function newCode(deps: Pick<Deps, "random">): string {
  for (;;) {
    const code = couponCode(deps.random.bytes(CODE_BYTES));
    if (code !== null) return code;
  }
}
