/** A code to be created, valid for one customer, once. */
export interface CodeInput {
  readonly couponUid: string;
  readonly code: string;
  /** The platform's id of the customer. */
  readonly storefrontId: string;
  /** In lower case; null: unknown. Some platforms restrict a code to a customer only by e-mail. */
  readonly email: string | null;
  /** In minor units of `currency`, the store's. */
  readonly currencyValue: bigint;
  readonly currency: string;
  /** null: all products. */
  readonly productIds: readonly string[] | null;
  readonly startsAt: Temporal.Instant;
  readonly endsAt: Temporal.Instant;
}

/** Returns the text that is stored with a code at the platform and identifies it as this coupon's: another discount could have the same code. */
export function codeTitle(couponUid: string): string {
  return `Pointkeeper coupon ${couponUid}`;
}
