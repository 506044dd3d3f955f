import { findCustomer } from "../customers/find-customer.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { postAllotments } from "../ledger/post-allotments.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import { invalid, Problem } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";
import { assertFewUnused } from "./assert-few-unused.ts";
import { CODE_BYTES, type Coupon, type CouponStanding, couponCode } from "./coupon.ts";
import { type CouponDraft, couponDebit, draftCoupon, type NewCoupon, openCoupon } from "./coupon-draft.ts";
import { insertCoupon } from "./coupon-queries.ts";

const TRIES_MAX = 5;

/**
 * Issues a coupon (program.md 2, Coupons): takes its points at once and returns it. It is worth `point_worth` minor units per point, and
 * expires after the program's lifetime. Throws `customer_not_found`, `ambiguous_email`, `negative_balance`, or `invalid` if its value
 * exceeds the maximum amount or the customer has too many unused coupons.
 */
export async function issueCoupon(tx: Tx, deps: PostingDeps, input: NewCoupon): Promise<CouponStanding> {
  const [customer, program] = await Promise.all([findCustomer(tx, input.customer), readProgram(tx)]);
  const made = { uid: deps.random.uid(), customer, at: deps.clock.now() };
  const draft = draftCoupon(program, input, made);
  if (draft === null) throw invalid("/point_value", "expected fewer points: the coupon's worth is too large");
  const debitVersion = await takeCouponPoints(tx, deps, draft);
  await assertFewUnused(tx, input, draft.customer, { now: made.at, beingMade: 0 });
  const coupon = await storeCoupon(tx, deps, draft, debitVersion);
  return { ...coupon, discountRef: null, usedBy: null, reimbursedPoints: 0n, isLate: false };
}

/** Stores the coupon under a code that no other coupon has. */
async function storeCoupon(
  tx: Tx,
  deps: Pick<Deps, "random">,
  draft: CouponDraft,
  debitVersion: bigint,
): Promise<Coupon> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const code = couponCode(deps.random.bytes(CODE_BYTES));
    if (code === null) continue;
    const coupon = openCoupon(draft, code, debitVersion);
    if (await insertCoupon(tx, coupon, { ...draft, discountRef: null })) return coupon;
  }
  throw new Error(`no free code was found for coupon ${draft.uid}`);
}

/** Takes a coupon's points (program.md 2, Coupons) and returns the version of the allotment. Throws `negative_balance`. */
async function takeCouponPoints(tx: Tx, deps: PostingDeps, draft: CouponDraft): Promise<bigint> {
  const posting = couponDebit(draft, deps.random.uid());
  const [outcome] = await postAllotments(tx, deps, [{ customer: draft.customer, posting }]);
  if (outcome?.kind === "refused") throw new Problem(outcome.code);
  if (outcome?.kind !== "posted") throw new Error(`the points of coupon ${draft.uid} were not taken`);
  return outcome.version;
}
