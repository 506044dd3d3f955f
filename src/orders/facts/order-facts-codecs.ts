import {
  big,
  type Codec,
  flagCodec,
  instant,
  integerCodec,
  listCodec,
  nullableCodec,
  oneOfCodec,
  record,
  refuse,
  textCodec,
} from "../../db/json-codec.ts";
import type { FulfillmentFact, LineDiscount, Money, OrderLine, RefundFact } from "../../platforms/neutral-events.ts";
import { isQuantity } from "../../platforms/quantity.ts";

const decimal: Codec<number> = {
  encode: (value) => value,
  decode: (stored) => (typeof stored === "number" && isQuantity(stored) ? stored : refuse("a quantity", stored)),
};

export const money = record<Money>({ minor: big, currency: textCodec });

const lineDiscount = record<LineDiscount>({ code: nullableCodec(textCodec), discountRef: textCodec, amount: money });

export const orderLine = record<OrderLine>(
  {
    lineId: textCodec,
    productId: nullableCodec(textCodec),
    variantId: nullableCodec(textCodec),
    title: textCodec,
    quantity: decimal,
    currentQuantity: nullableCodec(decimal),
    unitPrice: money,
    unitPriceMillionths: integerCodec,
    discounts: listCodec(lineDiscount),
    tax: money,
    kind: oneOfCodec("product", "gift_card", "tip", "custom", "fee"),
    requiresShipping: flagCodec,
    tags: listCodec(textCodec),
    collections: listCodec(textCodec),
  },
  ["unitPriceMillionths", "requiresShipping", "tags", "collections"],
);

export const fulfillment = record<FulfillmentFact>({
  fulfillmentId: textCodec,
  status: oneOfCodec("success", "pending", "cancelled", "error", "failure"),
  createdAt: instant,
  updatedAt: instant,
  lines: listCodec(record<FulfillmentFact["lines"][number]>({ lineId: textCodec, quantity: decimal })),
});

export const refund = record<RefundFact>(
  {
    refundId: textCodec,
    createdAt: instant,
    lines: listCodec(
      record<RefundFact["lines"][number]>({
        lineId: textCodec,
        quantity: decimal,
        restock: oneOfCodec("no_restock", "cancel", "return", "legacy_restock", "unknown"),
        subtotal: money,
        tax: money,
      }),
    ),
    shipping: money,
    shippingTax: money,
    otherAdjustments: money,
    moneyMoved: nullableCodec(money),
    credited: money,
    isOfReturn: flagCodec,
  },
  ["credited", "isOfReturn"],
);
