import {
  big,
  type Codec,
  flag,
  instant,
  integer,
  list,
  nullable,
  oneOf,
  record,
  refuse,
  text,
} from "../db/json-codec.ts";
import type { FulfillmentFact, LineDiscount, Money, OrderLine, RefundFact } from "../platforms/neutral-events.ts";
import { isQuantity } from "../platforms/quantity.ts";

const decimal: Codec<number> = {
  encode: (value) => value,
  decode: (stored) => (typeof stored === "number" && isQuantity(stored) ? stored : refuse("a quantity", stored)),
};

export const money = record<Money>({ minor: big, currency: text });

const lineDiscount = record<LineDiscount>({ code: nullable(text), discountRef: text, amount: money });

export const orderLine = record<OrderLine>(
  {
    lineId: text,
    productId: nullable(text),
    variantId: nullable(text),
    title: text,
    quantity: decimal,
    currentQuantity: nullable(decimal),
    unitPrice: money,
    unitPriceMillionths: integer,
    discounts: list(lineDiscount),
    tax: money,
    kind: oneOf("product", "gift_card", "tip", "custom", "fee"),
    requiresShipping: flag,
    tags: list(text),
    collections: list(text),
  },
  ["unitPriceMillionths", "requiresShipping", "tags", "collections"],
);

export const fulfillment = record<FulfillmentFact>({
  fulfillmentId: text,
  status: oneOf("success", "pending", "cancelled", "error", "failure"),
  createdAt: instant,
  updatedAt: instant,
  lines: list(record<FulfillmentFact["lines"][number]>({ lineId: text, quantity: decimal })),
});

export const refund = record<RefundFact>({
  refundId: text,
  createdAt: instant,
  lines: list(
    record<RefundFact["lines"][number]>({
      lineId: text,
      quantity: decimal,
      restock: oneOf("no_restock", "cancel", "return", "legacy_restock", "unknown"),
      subtotal: money,
      tax: money,
    }),
  ),
  shipping: money,
  shippingTax: money,
  otherAdjustments: money,
  moneyMoved: nullable(money),
});
