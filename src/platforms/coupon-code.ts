/** A code that is to be good for one customer, once. */
export interface CodeInput {
  readonly couponUid: string;
  readonly code: string;
  /** As the platform knows the customer. */
  readonly storefrontId: string;
  /** Lower case; null: not known. Some platforms know by it alone whose a code is. */
  readonly email: string | null;
  /** Minor units of `currency`, the store's. */
  readonly currencyValue: bigint;
  readonly currency: string;
  /** Null: all products. */
  readonly productIds: readonly string[] | null;
  readonly startsAt: Temporal.Instant;
  readonly endsAt: Temporal.Instant;
}

/** By this text, kept with a code at the platform, it is known as this coupon's: codes alone could be anybody's. */
export function codeTitle(couponUid: string): string {
  return `Pointkeeper coupon ${couponUid}`;
}
