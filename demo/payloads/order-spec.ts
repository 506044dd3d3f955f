import { total } from "./amounts.ts";

/** An order of a story. Amounts are minor units; times are ISO 8601; ids are digits. */
export interface OrderSpec {
  readonly id: string;
  readonly number: number;
  readonly currency: string;
  readonly taxesIncluded: boolean;
  readonly customer: CustomerSpec | null;
  readonly lines: readonly LineSpec[];
  /** The lines' `discounts` refer to these by position. A null code is an automatic discount. */
  readonly discounts: readonly { readonly code: string | null }[];
  /** Without its tax, unless prices include taxes. */
  readonly shipping: bigint;
  readonly shippingTax: bigint;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly financialStatus: "pending" | "paid" | "partially_refunded" | "refunded" | "voided";
  readonly cancelledAt: string | null;
  readonly fulfillments: readonly FulfillmentSpec[];
  readonly refunds: readonly RefundSpec[];
}

export interface CustomerSpec {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly state: "enabled" | "disabled";
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface LineSpec {
  readonly id: string;
  readonly kind: "product" | "gift_card" | "tip";
  readonly productId: string | null;
  readonly title: string;
  /** Of one unit. */
  readonly price: bigint;
  readonly quantity: number;
  /** Of the whole line. */
  readonly tax: bigint;
  /** Taken from the whole line, in the order of the order's discounts. */
  readonly discounts: readonly bigint[];
}

export interface FulfillmentSpec {
  readonly id: string;
  readonly status: "success" | "cancelled";
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lines: readonly { readonly lineId: string; readonly quantity: number }[];
}

export interface RefundSpec {
  readonly id: string;
  readonly createdAt: string;
  readonly lines: readonly {
    readonly lineId: string;
    readonly quantity: number;
    readonly restock: "no_restock" | "cancel" | "return";
    readonly subtotal: bigint;
    readonly tax: bigint;
  }[];
  /** Always without its tax, even if prices include taxes. */
  readonly shipping: bigint;
  readonly shippingTax: bigint;
  /** What the buyer got back; 0n for the removal by an order edit, which has no transaction. */
  readonly moved: bigint;
}

/** The order's own sums, by the identities of recorded orders (refunded and removed goods are not in the current sums). */
export interface OrderSums {
  readonly lineItems: bigint;
  readonly discounts: bigint;
  readonly subtotal: bigint;
  readonly tax: bigint;
  readonly tip: bigint;
  readonly total: bigint;
  readonly currentSubtotal: bigint;
}

export function sumsOf(order: OrderSpec): OrderSums {
  const goods = order.lines.filter(({ kind }) => kind !== "tip");
  const lineItems = total(goods.map(grossOf));
  const discounts = total(goods.flatMap((line) => line.discounts));
  const tip = total(order.lines.filter(({ kind }) => kind === "tip").map(grossOf));
  const tax = total(order.lines.map((line) => line.tax)) + order.shippingTax;
  const subtotal = lineItems - discounts;
  const refunded = total(order.refunds.flatMap(({ lines }) => lines.map((line) => line.subtotal)));
  return {
    lineItems,
    discounts,
    subtotal,
    tax,
    tip,
    total: subtotal + order.shipping + (order.taxesIncluded ? 0n : tax) + tip,
    currentSubtotal: subtotal - refunded,
  };
}

/** The amount of a refund of these lines and this shipping, before any adjustment. */
export function calculatedRefund(order: OrderSpec, refund: RefundSpec): bigint {
  const goods = total(refund.lines.map((line) => line.subtotal + (order.taxesIncluded ? 0n : line.tax)));
  return goods + refund.shipping + refund.shippingTax;
}

function grossOf(line: LineSpec): bigint {
  return line.price * BigInt(line.quantity);
}
