import { POINTS_MAX } from "../ledger/allotment-types.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { type Posting, plainPosting } from "../ledger/posting.ts";
import type { Program } from "../program/program.ts";
import type { Coupon } from "./coupon.ts";

export interface NewCoupon {
  /** Storefront id or e-mail. */
  readonly customer: string;
  /** At least 1. */
  readonly pointValue: bigint;
  /** null: all products. */
  readonly productIds: readonly string[] | null;
  /** The requester: the allotment's `app_reference`. */
  readonly appReference: string;
  /** It is refused if the customer has this many unused coupons; absent: any number. */
  readonly unusedMax?: number;
}

/** A coupon before its points are taken. */
export interface CouponDraft {
  readonly uid: string;
  readonly customer: CustomerRef;
  readonly pointValue: bigint;
  /** In minor units of the store's currency. */
  readonly currencyValue: bigint;
  readonly productIds: readonly string[] | null;
  readonly appReference: string;
  /** Whether issuing it extends the expiry of the balance. */
  readonly extendsExpiry: boolean;
  readonly issuedAt: Temporal.Instant;
  readonly expiresAt: Temporal.Instant;
  /** Expiry plus grace period. */
  readonly dueAt: Temporal.Instant;
}

/**
 * Returns what a coupon will be by the program (program.md 2, Coupons): it is worth `point_worth` minor units per point, and valid for the
 * lifetime. null: its value exceeds the maximum amount.
 */
export function draftCoupon(
  { coupons, expiration }: Pick<Program, "coupons" | "expiration">,
  { pointValue, productIds, appReference }: NewCoupon,
  made: { readonly uid: string; readonly customer: CustomerRef; readonly at: Temporal.Instant },
): CouponDraft | null {
  const currencyValue = pointValue * coupons.pointWorth;
  if (currencyValue > POINTS_MAX) return null;
  const expiresAt = made.at.add({ hours: coupons.lifetimeHours });
  return {
    uid: made.uid,
    customer: { bucket: made.customer.bucket, customerUid: made.customer.customerUid },
    pointValue,
    currencyValue,
    productIds,
    appReference,
    extendsExpiry: expiration.couponsExtend,
    issuedAt: made.at,
    expiresAt,
    dueAt: expiresAt.add({ hours: coupons.graceHours }),
  };
}

/** Returns the posting that takes a coupon's points: type `api`, key `coupon/<coupon>` (program.md 3). */
export function couponDebit(
  { uid, pointValue, appReference, extendsExpiry }: CouponDraft,
  postingUid: string,
): Posting {
  return {
    ...plainPosting(postingUid, "api", appReference, { kind: "add", pointValue: -pointValue, shortfall: "refuse" }),
    sourceKey: `coupon/${uid}`,
    object: `coupon-${uid}`,
    reasonType: "coupon",
    extends: extendsExpiry ? "always" : "never",
  };
}

/** Returns the open coupon of a draft, once its points are taken. */
export function openCoupon(draft: CouponDraft, code: string, debitVersion: bigint): Coupon {
  const { uid, customer, pointValue, currencyValue, productIds, expiresAt } = draft;
  const state = "open";
  return {
    uid,
    code,
    customer,
    pointValue,
    currencyValue,
    productIds,
    state,
    returnedPoints: 0n,
    debitVersion,
    expiresAt,
  };
}
