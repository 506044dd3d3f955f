import type { CouponDraft } from "../coupons/coupon-draft.ts";
import type { IdempotencyClaim } from "../http/idempotency/idempotency.ts";
import type { CodeInput } from "../platforms/coupon-code.ts";
import type { PlacedCode } from "./platform-port.ts";

/** A coupon whose discount is being created at the platform while its points are held (program.md 3). */
export interface DiscountCreation {
  readonly draft: CouponDraft;
  readonly code: string;
  /** `released`: the points are returned; a last check makes sure that the discount was not created after all. */
  readonly state: "creating" | "released";
  readonly holdUid: string;
  readonly storefrontId: string;
  readonly currency: string;
  /** How often it was continued; 0 while the request that began it runs. */
  readonly attempts: number;
}

/** A creation and the lease to continue it. */
export interface LeasedDiscountCreation extends DiscountCreation {
  readonly leaseUid: string;
}

/** The Idempotency-Key of the request that began it. */
export interface DiscountCreationClaim {
  readonly key: string;
  readonly fingerprint: Buffer;
}

/** The claim of a request with an Idempotency-Key; `lockText` is the text that the request locks. */
export function creationClaim(claim: IdempotencyClaim, lockText: string): DiscountCreationClaim {
  return { key: lockText, fingerprint: claim.fingerprint };
}

export function codeInput({ draft, code, storefrontId, currency }: DiscountCreation, email: string | null): CodeInput {
  const { uid, currencyValue, productIds, issuedAt, expiresAt } = draft;
  const dates = { startsAt: issuedAt, endsAt: expiresAt };
  return { couponUid: uid, code, storefrontId, email, currencyValue, currency, productIds, ...dates };
}

/** The code and the identifiers with which the platform's discount is found. */
export function placedCode({ draft, code }: DiscountCreation): PlacedCode {
  return { couponUid: draft.uid, code };
}

const WAIT_FIRST_S = 60;
const WAIT_MAX_S = 3_600;

/** Seconds until the platform is asked again after this number of failed attempts. */
export function nextLookS(attempts: number): number {
  return Math.min(WAIT_MAX_S, WAIT_FIRST_S * 2 ** Math.min(attempts, 10));
}
