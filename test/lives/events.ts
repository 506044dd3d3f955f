import { PRODUCTS } from "./life.ts";
import type { Line, Order, Refund, Shipment } from "./order.ts";
import { COLLECTIONS, EXCLUDED_CUSTOMER_TAG, EXCLUDED_PRODUCT_TAG } from "./program-model.ts";
import { type Ratio, ratio } from "./ratio.ts";

/** The facts of a life as neutral events (docs/intake-events.md). */

export interface NeutralEvent {
  readonly type: string;
  readonly delivery_key: string;
  readonly occurred_at: string;
  readonly test?: boolean;
  readonly payload: object;
}

/** Who an order names: a customer, or a guest's e-mail. */
export interface Buyer {
  readonly id: string | null;
  readonly email: string | null;
}

export interface Body {
  readonly order: Order;
  readonly buyer: Buyer;
  readonly currency: string;
  readonly code: string | null;
  readonly isFulfilled: boolean | null;
}

export function productEvents(at: Temporal.Instant): readonly NeutralEvent[] {
  return PRODUCTS.map(({ isExcluded, collections }, n) =>
    event("ProductUpserted", `product-${n}`, at, {
      product_id: `product-${n}`,
      tags: isExcluded ? [EXCLUDED_PRODUCT_TAG] : [],
      collections: COLLECTIONS.filter((_, i) => collections[i] === true),
    }),
  );
}

export function customerEvent(id: string, isStaff: boolean, at: Temporal.Instant): NeutralEvent {
  const tags = isStaff ? [EXCLUDED_CUSTOMER_TAG] : [];
  return event("CustomerUpserted", id, at, { customer_id: id, email: emailOf(id), tags });
}

export function emailOf(id: string): string {
  return `${id}@lives.example`;
}

export function bodyEvent({ order, buyer, currency, code, isFulfilled }: Body, at: Temporal.Instant): NeutralEvent {
  const status = order.paidAt !== null ? "paid" : order.isVoided ? "voided" : "pending";
  const { coupon, goodsDiscount, isTest: test } = order;
  const money = (minor: bigint) => ({ minor: minor.toString(), currency });
  const payload = {
    ...{ order_id: order.id, customer_id: buyer.id, email: buyer.email },
    ...{ processed_at: order.processedAt.toString(), updated_at: at.toString(), financial_status: status },
    ...{ shop_currency: currency, taxes_included: order.taxesIncluded },
    lines: order.lines.map((line) => lineOf(line, currency, code)),
    ...(goodsDiscount === null ? {} : { discount_total: money(goodsDiscount) }),
    ...(coupon === null || code === null ? {} : { coupons: [{ code, amount: money(coupon.amount) }] }),
    ...(isFulfilled === null ? {} : { fulfillment_status: isFulfilled ? "fulfilled" : "partial" }),
  };
  return { ...event("OrderUpdated", order.id, at, payload), test };
}

function lineOf(line: Line, currency: string, code: string | null): object {
  const money = (minor: bigint) => ({ minor: minor.toString(), currency });
  const product = line.product === null ? -1 : PRODUCTS.indexOf(line.product);
  const discounts = [
    { code: null, amount: line.discount - line.ofCoupon },
    { code, amount: line.ofCoupon },
  ].filter(({ amount }) => amount > 0n);
  return {
    ...{ line_id: line.id, kind: line.kind, tax: money(line.tax) },
    ...(product < 0 ? {} : { product_id: `product-${product}` }),
    unit_price: { minor: decimal(line.unitPrice), currency },
    quantity: numberOf(line.quantity),
    ...(line.current === null ? {} : { current_quantity: numberOf(line.current) }),
    discounts: discounts.map((discount) => ({ code: discount.code, amount: money(discount.amount) })),
    ...(line.isDownload ? { requires_shipping: false } : {}),
  };
}

export function shipmentEvent(order: Order, shipment: Shipment, at: Temporal.Instant): NeutralEvent {
  const { id, units, cancelledAt } = shipment;
  return event("OrderFulfilled", order.id, at, {
    order_id: order.id,
    fulfillment: {
      ...{ fulfillment_id: id, status: cancelledAt === null ? "success" : "cancelled" },
      ...{ created_at: shipment.at.toString(), updated_at: (cancelledAt ?? shipment.at).toString() },
      lines: [...units].map(([line_id, some]) => ({ line_id, quantity: numberOf(some) })),
    },
  });
}

export function refundEvent(order: Order, refund: Refund, currency: string): NeutralEvent {
  const money = (minor: bigint) => ({ minor: minor.toString(), currency });
  return event("OrderRefunded", order.id, refund.at, {
    order_id: order.id,
    refund: {
      ...{ refund_id: refund.id, created_at: refund.at.toString() },
      lines: refund.lines.map(({ lineId, units, subtotal, tax, isReturn }) => ({
        ...{ line_id: lineId, quantity: numberOf(units), restock: isReturn ? "return" : "cancel" },
        ...{ subtotal: money(subtotal), tax: money(tax) },
      })),
      ...{ shipping: money(refund.shipping), shipping_tax: money(refund.shippingTax) },
      money_moved: refund.moved === null ? null : money(refund.moved),
    },
  });
}

export function cancelEvent({ id }: Order, at: Temporal.Instant): NeutralEvent {
  return event("OrderCancelled", id, at, { order_id: id, cancelled_at: at.toString(), reason: "customer" });
}

let count = 0;

function event(type: string, subject: string, at: Temporal.Instant, payload: object): NeutralEvent {
  return { type, delivery_key: `${subject}-${++count}`, occurred_at: at.toString(), payload };
}

/** The same event in another delivery. */
export function again(one: NeutralEvent): NeutralEvent {
  return { ...one, delivery_key: `${one.delivery_key}-again` };
}

function numberOf({ num, den }: Ratio): number {
  return Number(num) / Number(den);
}

/** A price with two decimal places. */
function decimal(price: Ratio): string {
  const { num } = ratio(price.num * 100n, price.den);
  return `${num / 100n}.${(num % 100n).toString().padStart(2, "0")}`;
}
