import { findCustomer } from "../customers/find-customer.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { POINTS_MAX } from "../ledger/allotment-types.ts";
import { postAllotments } from "../ledger/post-allotments.ts";
import { type Outcome, plainPosting } from "../ledger/posting.ts";
import type { PostingDeps } from "../ledger/posting-batch.ts";
import { invalid, Problem } from "../problems.ts";
import { readProgram } from "../shop/read-program.ts";
import { CODE_BYTES, type Coupon, type CouponStanding, couponCode } from "./coupon.ts";
import { insertCoupon } from "./coupon-queries.ts";

export interface NewCoupon {
  /** Storefront id or e-mail. */
  readonly customer: string;
  /** 1 or more. */
  readonly pointValue: bigint;
  /** Null: all products. */
  readonly productIds: readonly string[] | null;
  /** Who asks: the allotment's `app_reference`. */
  readonly appReference: string;
}

const TRIES_MAX = 5;

/**
 * Issues a coupon (program.md 2, Coupons): takes its points at once and answers it. It is worth `point_worth` minor units a
 * point, and expires after the program's lifetime. Throws `customer_not_found`, `ambiguous_email`, `negative_balance`, or
 * `invalid` where its worth is beyond what an amount may be.
 */
export async function issueCoupon(tx: Tx, deps: PostingDeps, wanted: NewCoupon): Promise<CouponStanding> {
  const { pointValue, productIds } = wanted;
  const [customer, program] = await Promise.all([findCustomer(tx, wanted.customer), readProgram(tx)]);
  const currencyValue = pointValue * program.coupons.pointWorth;
  if (currencyValue > POINTS_MAX)
    throw invalid("/point_value", "expected fewer points: the coupon's worth is too large");
  const uid = deps.random.uid();
  const posting = {
    ...plainPosting(deps.random.uid(), "api", wanted.appReference, {
      kind: "add",
      pointValue: -pointValue,
      shortfall: "refuse",
    }),
    sourceKey: `coupon/${uid}`,
    object: `coupon-${uid}`,
    reasonType: "coupon",
    extends: program.expiration.couponsExtend ? "always" : "never",
  } as const;
  const [outcome] = await postAllotments(tx, deps, [{ customer, posting }]);
  const issuedAt = deps.clock.now();
  const expiresAt = issuedAt.add({ hours: program.coupons.lifetimeHours });
  const coupon = {
    uid,
    customer: { bucket: customer.bucket, customerUid: customer.customerUid },
    pointValue,
    currencyValue,
    productIds,
    state: "open",
    returnedPoints: 0n,
    debitVersion: debitVersion(outcome),
    expiresAt,
  } as const;
  const code = await keep(tx, deps, coupon, { issuedAt, dueAt: expiresAt.add({ hours: program.coupons.graceHours }) });
  return { ...coupon, code, usedBy: null, reimbursedPoints: 0n, isLate: false };
}

function debitVersion(outcome: Outcome | undefined): bigint {
  if (outcome?.kind === "refused") throw new Problem(outcome.code);
  if (outcome?.kind !== "posted") throw new Error("a coupon's points were not taken");
  return outcome.version;
}

/** Under a code that no other coupon has. */
async function keep(
  tx: Tx,
  deps: Pick<Deps, "random">,
  coupon: Omit<Coupon, "code">,
  times: { readonly issuedAt: Temporal.Instant; readonly dueAt: Temporal.Instant },
): Promise<string> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const code = couponCode(deps.random.bytes(CODE_BYTES));
    if (code !== null && (await insertCoupon(tx, { ...coupon, code }, times))) return code;
  }
  throw new Error(`no free code was found for coupon ${coupon.uid}`);
}
