/** A live code that is being removed at the platform, so that its points can come back (platforms.md 3). */
export interface Removal {
  readonly couponUid: string;
  readonly code: string;
  readonly discountRef: string;
  /** What the coupon becomes. */
  readonly state: "cancelled" | "expired";
  readonly appReference: string;
  readonly attempts: number;
  readonly leaseUid: string;
}
