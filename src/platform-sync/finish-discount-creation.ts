import type { CouponStanding } from "../coupons/coupon.ts";
import { couponDebit, openCoupon } from "../coupons/coupon-draft.ts";
import { insertCoupon } from "../coupons/coupon-queries.ts";
import type { Tx } from "../db/pool.ts";
import { endHold } from "../ledger/holds/end-hold.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import type { LeasedDiscountCreation } from "./discount-creation.ts";
import { deleteDiscountCreation, lockLeased } from "./discount-creation-queries.ts";

/**
 * Debits the held points of a coupon whose code exists at the platform, and stores the coupon (program.md 3), in one transaction.
 * Returns null where another caller has continued the creation.
 */
export async function finishDiscountCreation(
  tx: Tx,
  deps: PostingDeps,
  creation: LeasedDiscountCreation,
  discountRef: string,
): Promise<CouponStanding | null> {
  if ((await lockLeased(tx, creation)) !== "creating") return null;
  const { code, holdUid } = creation;
  const spend = couponDebit(creation.draft, deps.random.uid());
  const { customer, spentVersion } = await endHold(tx, deps, { uid: holdUid, capture: null, spend });
  const draft = { ...creation.draft, customer }; // where the customer was merged, the hold moved to the other customer
  if (spentVersion === null) throw new Error(`the points of coupon ${draft.uid} were not taken`);
  const coupon = openCoupon(draft, code, spentVersion);
  if (!(await insertCoupon(tx, coupon, { ...draft, discountRef })))
    throw new Error(`the code of coupon ${draft.uid} is taken`);
  await deleteDiscountCreation(tx, creation);
  return { ...coupon, discountRef, usedBy: null, reimbursedPoints: 0n, isLate: false };
}
