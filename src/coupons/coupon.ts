import type { CustomerRef } from "../ledger/customer-ref.ts";

export interface Coupon {
  readonly uid: string;
  /** In upper case. */
  readonly code: string;
  readonly customer: CustomerRef;
  readonly pointValue: bigint;
  /** In minor units of the store's currency. */
  readonly currencyValue: bigint;
  /** null: it is valid for all products. */
  readonly productIds: readonly string[] | null;
  /** `open` until its points are returned; only the expiry sets `used`. */
  readonly state: "open" | "used" | "cancelled" | "expired";
  /** Points returned by its cancellation or expiry. */
  readonly returnedPoints: bigint;
  /** Version of the allotment that took its points. */
  readonly debitVersion: bigint;
  readonly expiresAt: Temporal.Instant;
}

/** A coupon with its state elsewhere. */
export interface CouponStanding extends Coupon {
  /** The platform's name of its code, if it was created there. */
  readonly discountRef: string | null;
  /** The order that used it; null: none did. */
  readonly usedBy: string | null;
  /** Points returned with that order's refunds and cancellation. */
  readonly reimbursedPoints: bigint;
  /** Whether it was used after its points had been returned, which were then taken again. */
  readonly isLate: boolean;
}

/** Letters and digits that are not easily confused: without 0 O 1 I L 5 S 8 B 2 Z U V. */
const ALPHABET = "ACDEFGHJKMNPQRTWXY34679";
const LETTERS = 12;
const GROUP = 4;

/** The number of bytes that `couponCode` needs: some are skipped, so that all letters are equally likely. */
export const CODE_BYTES = 64;

/** Returns a code made from random bytes, `XXXX-XXXX-XXXX` (54 bits); null: too few of the bytes could be used. */
export function couponCode(bytes: Uint8Array): string | null {
  const usable = 256 - (256 % ALPHABET.length);
  const letters = [...bytes].flatMap((byte) => (byte < usable ? [ALPHABET.charAt(byte % ALPHABET.length)] : []));
  if (letters.length < LETTERS) return null;
  const code = letters.slice(0, LETTERS).join("");
  return [0, GROUP, 2 * GROUP].map((at) => code.slice(at, at + GROUP)).join("-");
}
