import { type Ratio, rounded, times } from "./ratio.ts";

/** An order as its events state it. */

export type Kind = "product" | "custom" | "gift_card" | "tip" | "fee";

/** A product: known by its name from the beginning of the store. */
export interface Product {
  readonly isExcluded: boolean;
  /** Whether it is in each of the collections. */
  readonly collections: readonly boolean[];
}

export interface Line {
  readonly id: string;
  readonly kind: Kind;
  readonly product: Product | null;
  /** In minor units; may have a fraction. */
  readonly unitPrice: Ratio;
  readonly quantity: Ratio;
  /** The part of the quantity that the order's body still counts; null: it does not say. */
  readonly current: Ratio | null;
  readonly discount: bigint;
  /** The part of the discount that is the coupon's. */
  readonly ofCoupon: bigint;
  readonly tax: bigint;
  /** Not shipped: delivered by payment. */
  readonly isDownload: boolean;
}

export interface Shipment {
  readonly id: string;
  readonly at: Temporal.Instant;
  readonly units: ReadonlyMap<string, Ratio>;
  cancelledAt: Temporal.Instant | null;
}

export interface RefundLine {
  readonly lineId: string;
  readonly units: Ratio;
  /** After discounts, with tax where the order's prices have it. */
  readonly subtotal: bigint;
  readonly tax: bigint;
  readonly isReturn: boolean;
}

export interface Refund {
  readonly id: string;
  readonly at: Temporal.Instant;
  readonly lines: readonly RefundLine[];
  /** All money that the buyer got back; null: unknown. */
  readonly moved: bigint | null;
  readonly shipping: bigint;
  readonly shippingTax: bigint;
}

export interface Coupon {
  readonly id: string;
  readonly owner: string;
  readonly points: bigint;
  readonly worth: bigint;
  /** What the order's body says of its amount. */
  readonly amount: bigint;
}

export interface Order {
  readonly id: string;
  readonly processedAt: Temporal.Instant;
  readonly isTest: boolean;
  readonly isForeign: boolean;
  readonly taxesIncluded: boolean;
  lines: readonly Line[];
  /** On all goods; null: none beyond those of the lines. */
  readonly goodsDiscount: bigint | null;
  readonly coupon: Coupon | null;
  paidAt: Temporal.Instant | null;
  isVoided: boolean;
  isCancelled: boolean;
  readonly shipments: Shipment[];
  /** When its status alone first said that all of it is shipped; null: never. */
  fulfilledAt: Temporal.Instant | null;
  /** When that was said last; null: another status is newer. */
  statusSince: Temporal.Instant | null;
  readonly refunds: Refund[];
}

export function isGoods(kind: Kind): boolean {
  return kind === "product" || kind === "custom";
}

/** A line's price before discounts, in whole minor units. */
export function priceOf({ unitPrice, quantity }: Pick<Line, "unitPrice" | "quantity">): bigint {
  return rounded(times(unitPrice, quantity), "half_up");
}
