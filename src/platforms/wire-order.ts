import { FINANCIAL_STATUSES } from "./financial-status.ts";
import {
  addFault,
  addNote,
  at,
  ifKnown,
  type JsonReader,
  onlyKnown,
  orNull,
  readBoolean,
  readDecimalQuantity,
  readId,
  readInstant,
  readList,
  readText,
  readWord,
} from "./json-reader.ts";
import { isCurrencyCode } from "./money.ts";
import type {
  CurrencyCode,
  FulfillmentFact,
  LineDiscount,
  OrderCoupon,
  OrderFacts,
  OrderLine,
  RefundFact,
  RefundLine,
} from "./neutral-events.ts";
import { faultOfOrder } from "./order-faults.ts";
import {
  beginObject,
  type PayloadContext,
  readCode,
  readMoney,
  readMoneyOrZero,
  readPositiveMoney,
  readUnitPrice,
} from "./wire-fields.ts";

const KINDS = ["product", "gift_card", "tip", "custom", "fee"] as const;
const STATUSES = ["success", "pending", "cancelled", "error", "failure"] as const;
const RESTOCKS = ["unknown", "no_restock", "cancel", "return", "legacy_restock"] as const;
const SHIPPING = ["unfulfilled", "partial", "fulfilled", "restocked"] as const;
const TOTALS = ["subtotal", "discount_total", "shipping_total", "tax_total", "tip_total", "total", "outstanding"];
const SCALARS = [
  "order_name",
  "customer_id",
  "email",
  "created_at",
  "processed_at",
  "updated_at",
  "paid_at",
  "cancelled_at",
  "cancel_reason",
  "financial_status",
  "fulfillment_status",
  "shop_currency",
  "presentment_currency",
  "taxes_included",
  "tax_exempt",
  "channel",
  "tags",
];
const ORDER = ["order_id", ...SCALARS, ...TOTALS, "lines", "coupons", "fulfillments", "refunds"];

/** Reads an order's facts as in `POST /intake/events`: only `order_id` is required. */
export function readOrderFacts(payload: JsonReader, context: PayloadContext): OrderFacts {
  beginObject(payload, ORDER);
  const { currency } = context;
  const facts: OrderFacts = {
    orderId: readId(at(payload, "order_id")),
    fulfillments: listOf(payload, "fulfillments", (one) => readFulfillmentFact(one, context)) ?? [],
    refunds: listOf(payload, "refunds", (one) => readRefundFact(one, context)) ?? [],
    ...readScalars(payload),
    ...readTotals(payload, currency),
    ...onlyKnown({
      lines: listOf(payload, "lines", (line) => readOrderLine(line, currency)),
      coupons: listOf(payload, "coupons", (coupon) => readCoupon(coupon, currency)),
    }),
  };
  const fault = faultOfOrder(facts);
  if (fault !== null) addFault(payload, fault);
  return facts;
}

function readScalars(payload: JsonReader): Partial<OrderFacts> {
  // some senders state it; nothing uses it
  ifKnown(at(payload, "tax_exempt"), readBoolean);
  const nullableText = orNull((text) => readText(text, 1000));
  return onlyKnown({
    orderName: ifKnown(at(payload, "order_name"), nullableText),
    customerId: ifKnown(at(payload, "customer_id"), orNull(readCustomerId)),
    email: ifKnown(
      at(payload, "email"),
      orNull((email) => readText(email, 255).trim().toLowerCase()),
    ),
    createdAt: ifKnown(at(payload, "created_at"), readInstant),
    processedAt: ifKnown(at(payload, "processed_at"), readInstant),
    updatedAt: ifKnown(at(payload, "updated_at"), readInstant),
    paidAt: ifKnown(at(payload, "paid_at"), orNull(readInstant)),
    cancelledAt: ifKnown(at(payload, "cancelled_at"), orNull(readInstant)),
    cancelReason: ifKnown(at(payload, "cancel_reason"), nullableText),
    financialStatus: ifKnown(at(payload, "financial_status"), (word) => wordOrUnknown(word, FINANCIAL_STATUSES)),
    ...readShippingStatus(at(payload, "fulfillment_status")),
    shopCurrency: ifKnown(at(payload, "shop_currency"), readCurrencyCode),
    presentmentCurrency: ifKnown(at(payload, "presentment_currency"), readCurrencyCode),
    taxesIncluded: ifKnown(at(payload, "taxes_included"), readBoolean),
    channel: ifKnown(at(payload, "channel"), nullableText),
    tags: listOf(payload, "tags", (tag) => readText(tag, 255)),
  });
}

/** A script that ships everything at once can state this by the status alone: its fulfilments need not be named. */
function readShippingStatus(status: JsonReader): Pick<OrderFacts, "fulfillmentStatus" | "isFulfilledWhole"> {
  const word = ifKnown(status, (said) => wordOrUnknown(said, SHIPPING));
  return word === undefined ? {} : { fulfillmentStatus: word, isFulfilledWhole: word === "fulfilled" };
}

function readTotals(payload: JsonReader, currency: CurrencyCode): Partial<OrderFacts> {
  const amount = (name: string) => ifKnown(at(payload, name), (money) => readMoney(money, currency));
  const discount = amount("discount_total");
  return onlyKnown({
    subtotal: amount("subtotal"),
    discountTotal: discount,
    goodsDiscount: discount,
    shippingTotal: amount("shipping_total"),
    taxTotal: amount("tax_total"),
    tipTotal: amount("tip_total"),
    total: amount("total"),
    outstanding: at(payload, "outstanding").value === null ? undefined : amount("outstanding"),
  });
}

const LINE = ["line_id", "product_id", "variant_id", "title", "quantity", "current_quantity", "unit_price"].concat([
  "discounts",
  "tax",
  "kind",
  "requires_shipping",
  "tags",
  "collections",
]);

function readOrderLine(line: JsonReader, currency: CurrencyCode): OrderLine {
  beginObject(line, LINE);
  return {
    lineId: readId(at(line, "line_id")),
    productId: ifKnown(at(line, "product_id"), orNull(readId)) ?? null,
    variantId: ifKnown(at(line, "variant_id"), orNull(readId)) ?? null,
    title: ifKnown(at(line, "title"), (title) => readText(title, 1000)) ?? "",
    quantity: readDecimalQuantity(at(line, "quantity")),
    currentQuantity: ifKnown(at(line, "current_quantity"), orNull(readDecimalQuantity)) ?? null,
    ...readUnitPrice(at(line, "unit_price"), currency),
    discounts: listOf(line, "discounts", (discount) => readDiscount(discount, currency)) ?? [],
    tax: readMoneyOrZero(at(line, "tax"), currency),
    kind: ifKnown(at(line, "kind"), (kind) => readWord(kind, KINDS)) ?? "product",
    ...onlyKnown({
      requiresShipping: ifKnown(at(line, "requires_shipping"), readBoolean),
      tags: listOf(line, "tags", (tag) => readText(tag, 255)),
      collections: listOf(line, "collections", readId),
    }),
  };
}

function readDiscount(discount: JsonReader, currency: CurrencyCode): LineDiscount {
  beginObject(discount, ["code", "discount_ref", "amount"]);
  return {
    code: ifKnown(at(discount, "code"), orNull(readCode)) ?? null,
    discountRef: ifKnown(at(discount, "discount_ref"), (ref) => readText(ref, 255)) ?? "",
    amount: readPositiveMoney(at(discount, "amount"), currency),
  };
}

function readCoupon(coupon: JsonReader, currency: CurrencyCode): OrderCoupon {
  beginObject(coupon, ["code", "amount", "type"]);
  return {
    code: readCode(at(coupon, "code")),
    amount: readMoneyOrZero(at(coupon, "amount"), currency),
    type: ifKnown(at(coupon, "type"), (type) => readText(type, 255)) ?? "fixed_amount",
  };
}

/** Reads a shipment. By default it succeeded, at the time of the event; it ships nothing if no lines are stated. */
export function readFulfillmentFact(fulfillment: JsonReader, context: PayloadContext): FulfillmentFact {
  beginObject(fulfillment, ["fulfillment_id", "status", "created_at", "updated_at", "lines"]);
  const createdAt = ifKnown(at(fulfillment, "created_at"), readInstant) ?? context.occurredAt;
  return {
    fulfillmentId: readId(at(fulfillment, "fulfillment_id")),
    status: ifKnown(at(fulfillment, "status"), (status) => readWord(status, STATUSES)) ?? "success",
    createdAt,
    updatedAt: ifKnown(at(fulfillment, "updated_at"), readInstant) ?? createdAt,
    lines:
      listOf(fulfillment, "lines", (line) => {
        beginObject(line, ["line_id", "quantity"]);
        return { lineId: readId(at(line, "line_id")), quantity: readDecimalQuantity(at(line, "quantity")) };
      }) ?? [],
  };
}

const REFUND = ["refund_id", "created_at", "lines", "shipping", "shipping_tax", "other_adjustments", "money_moved"];

/** Reads a refund. By default it has no lines, no shipping, and an unknown amount of money. */
export function readRefundFact(refund: JsonReader, context: PayloadContext): RefundFact {
  beginObject(refund, REFUND);
  const { currency } = context;
  return {
    refundId: readId(at(refund, "refund_id")),
    createdAt: ifKnown(at(refund, "created_at"), readInstant) ?? context.occurredAt,
    lines: listOf(refund, "lines", (line) => readRefundLine(line, currency)) ?? [],
    shipping: readMoneyOrZero(at(refund, "shipping"), currency),
    shippingTax: readMoneyOrZero(at(refund, "shipping_tax"), currency),
    otherAdjustments: readMoneyOrZero(at(refund, "other_adjustments"), currency),
    moneyMoved:
      ifKnown(
        at(refund, "money_moved"),
        orNull((money) => readPositiveMoney(money, currency)),
      ) ?? null,
  };
}

function readRefundLine(line: JsonReader, currency: CurrencyCode): RefundLine {
  beginObject(line, ["line_id", "quantity", "restock", "subtotal", "tax"]);
  return {
    lineId: readId(at(line, "line_id")),
    quantity: readDecimalQuantity(at(line, "quantity")),
    restock: ifKnown(at(line, "restock"), (restock) => readWord(restock, RESTOCKS)) ?? "unknown",
    subtotal: readPositiveMoney(at(line, "subtotal"), currency),
    tax: readMoneyOrZero(at(line, "tax"), currency),
  };
}

/** Shops send a guest's order under the id 0, with which all guests would be one customer: it is read as none. */
function readCustomerId(reader: JsonReader): string | null {
  const id = readId(reader);
  if (!/^0+$/.test(id)) return id;
  const detail = "customer_id is 0: taken as null, the order of a guest; send null for guests";
  addNote(reader, { kind: "guest_order", values: {} }, detail);
  return null;
}

export function readCurrencyCode(reader: JsonReader): CurrencyCode {
  const code = readText(reader, 3);
  if (typeof reader.value === "string" && !isCurrencyCode(code)) addFault(reader, "a currency code of ISO 4217");
  return code;
}

function listOf<T>(owner: JsonReader, name: string, read: (element: JsonReader) => T): T[] | undefined {
  return ifKnown(at(owner, name), (list) => readList(list, read));
}

/** "unknown" means the same as leaving the field out. */
function wordOrUnknown<T extends string>(reader: JsonReader, words: readonly T[]): T | undefined {
  return reader.value === "unknown" ? undefined : readWord(reader, words);
}
