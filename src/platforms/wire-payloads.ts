import { isBirthdayText } from "./birthday.ts";
import type { EventContent } from "./event-content.ts";
import type { FinancialStatus } from "./financial-status.ts";
import {
  addFault,
  at,
  has,
  ifKnown,
  type JsonReader,
  onlyKnown,
  orNull,
  readBoolean,
  readId,
  readInstant,
  readList,
  readText,
  readWord,
} from "./json-reader.ts";
import type { CustomerFacts, OrderFacts } from "./neutral-events.ts";
import { beginObject, type PayloadContext, readCode, readMoney, readPoints, readWireEmail } from "./wire-fields.ts";
import { readFulfillmentFact, readOrderFacts, readRefundFact } from "./wire-order.ts";

type PayloadReader = (payload: JsonReader, context: PayloadContext) => EventContent;

/** Every event type that `POST /intake/events` accepts, with the reader of its payload. */
export const PAYLOADS: ReadonlyMap<string, PayloadReader> = new Map<string, PayloadReader>([
  ["CustomerUpserted", readCustomer],
  ["CustomerDeleted", readCustomerDeletion],
  ["CustomerMerged", readMerge],
  ["OrderPlaced", (payload, context) => stateOrder("OrderPlaced", readOrderFacts(payload, context))],
  ["OrderUpdated", (payload, context) => stateOrder("OrderUpdated", readOrderFacts(payload, context))],
  ["OrderPaid", readPaidOrder],
  ["OrderFulfilled", readFulfilled],
  ["OrderRefunded", readRefunded],
  ["OrderCancelled", readCancelled],
  ["OrderDeleted", readOrderDeletion],
  ["ProductUpserted", readProduct],
  ["CouponUsed", readCouponUse],
  ["CouponDeleted", readCouponDeletion],
  ["CouponReleased", readCouponRelease],
  ["FlowAdjustRequested", readFlow],
  ["ShopUninstalled", readShop("ShopUninstalled")],
  ["ShopRedacted", readShop("ShopRedacted")],
  ["CustomerDataRequested", readDataRequest],
]);

/** The longest locale that is stored. */
const LOCALE_LENGTH_MAX = 35;
const CUSTOMER = ["customer_id", "email", "name", "name_reading", "account_enabled", "accepts_marketing"].concat([
  "consent_updated_at",
  "birthday",
  "locale",
  "created_at",
  "tags",
  "tags_added",
  "tags_removed",
]);

const readName = orNull((name) => readText(name, 1000));

function readCustomer(payload: JsonReader, context: PayloadContext): EventContent {
  beginObject(payload, CUSTOMER);
  const customerId = readId(at(payload, "customer_id"));
  const acceptsMarketing = ifKnown(at(payload, "accepts_marketing"), readBoolean);
  const since = ifKnown(at(payload, "consent_updated_at"), readInstant);
  const facts: CustomerFacts = {
    customerId,
    ...onlyKnown({
      email: ifKnown(at(payload, "email"), orNull(readWireEmail)),
      name: ifKnown(at(payload, "name"), readName),
      nameReading: ifKnown(at(payload, "name_reading"), readName),
      accountEnabled: ifKnown(at(payload, "account_enabled"), readBoolean),
      acceptsMarketing,
      consentUpdatedAt: since ?? (acceptsMarketing === undefined ? undefined : context.occurredAt),
      birthday: ifKnown(at(payload, "birthday"), orNull(readBirthday)),
      locale: ifKnown(at(payload, "locale"), (locale) => readText(locale, 255).slice(0, LOCALE_LENGTH_MAX)),
      createdAt: ifKnown(at(payload, "created_at"), readInstant),
      tags: ifKnown(at(payload, "tags"), readTags),
      tagsAdded: ifKnown(at(payload, "tags_added"), readTags),
      tagsRemoved: ifKnown(at(payload, "tags_removed"), readTags),
    }),
  };
  const subject = `customer/${customerId}`;
  return { type: "CustomerUpserted", subject, factKey: `${subject}@${context.occurredAt}`, payload: facts };
}

const DELETIONS = ["deleted", "redacted"] as const;

function readCustomerDeletion(payload: JsonReader): EventContent {
  beginObject(payload, ["customer_id", "reason", "orders_to_redact", "email"]);
  const customerId = readId(at(payload, "customer_id"));
  const reason = ifKnown(at(payload, "reason"), (word) => readWord(word, DELETIONS)) ?? "deleted";
  const ordersToRedact = ifKnown(at(payload, "orders_to_redact"), (ids) => readList(ids, readId));
  const email = ifKnown(at(payload, "email"), orNull(readWireEmail));
  return {
    type: "CustomerDeleted",
    subject: `customer/${customerId}`,
    factKey: `customer-${reason}/${customerId}`,
    payload: { customerId, reason, ...onlyKnown({ ordersToRedact, email }) },
  };
}

function readMerge(payload: JsonReader): EventContent {
  beginObject(payload, ["kept_id", "removed_id"]);
  const keptId = readId(at(payload, "kept_id"));
  const removedId = readId(at(payload, "removed_id"));
  if (keptId !== "" && keptId === removedId) addFault(at(payload, "removed_id"), "another customer than kept_id");
  return {
    type: "CustomerMerged",
    subject: `customer/${keptId}`,
    factKey: `customer-merged/${keptId}/${removedId}`,
    payload: { keptId, removedId },
  };
}

function stateOrder(type: "OrderPlaced" | "OrderUpdated" | "OrderPaid", facts: OrderFacts): EventContent {
  const subject = `order/${facts.orderId}`;
  return { type, subject, factKey: `${subject}@${facts.updatedAt ?? ""}`, payload: facts };
}

/** The only type whose name is a fact, so that `{order_id}` alone says that the order is paid. */
function readPaidOrder(payload: JsonReader, context: PayloadContext): EventContent {
  const paid: FinancialStatus = "paid";
  const facts = readOrderFacts(payload, context);
  return stateOrder("OrderPaid", { financialStatus: paid, paidAt: context.occurredAt, ...facts });
}

function readFulfilled(payload: JsonReader, context: PayloadContext): EventContent {
  beginObject(payload, ["order_id", "fulfillment"]);
  const orderId = readId(at(payload, "order_id"));
  const fulfillment = readFulfillmentFact(at(payload, "fulfillment"), context);
  return {
    type: "OrderFulfilled",
    subject: `order/${orderId}`,
    factKey: `fulfillment/${fulfillment.fulfillmentId}:${fulfillment.status}`,
    payload: { orderId, fulfillment },
  };
}

function readRefunded(payload: JsonReader, context: PayloadContext): EventContent {
  beginObject(payload, ["order_id", "refund"]);
  const orderId = readId(at(payload, "order_id"));
  const refund = readRefundFact(at(payload, "refund"), context);
  return {
    type: "OrderRefunded",
    subject: `order/${orderId}`,
    factKey: `refund/${refund.refundId}`,
    payload: { orderId, refund },
  };
}

function readCancelled(payload: JsonReader, context: PayloadContext): EventContent {
  beginObject(payload, ["order_id", "cancelled_at", "reason"]);
  const orderId = readId(at(payload, "order_id"));
  const cancelledAt = ifKnown(at(payload, "cancelled_at"), readInstant) ?? context.occurredAt;
  const nullableText = orNull((text) => readText(text, 1000));
  const reason = ifKnown(at(payload, "reason"), nullableText) ?? null;
  return {
    type: "OrderCancelled",
    subject: `order/${orderId}`,
    factKey: `cancel/${orderId}`,
    payload: { orderId, cancelledAt, reason },
  };
}

function readOrderDeletion(payload: JsonReader): EventContent {
  beginObject(payload, ["order_id"]);
  const orderId = readId(at(payload, "order_id"));
  return {
    type: "OrderDeleted",
    subject: `order/${orderId}`,
    factKey: `order-deleted/${orderId}`,
    payload: { orderId },
  };
}

function readProduct(payload: JsonReader, context: PayloadContext): EventContent {
  beginObject(payload, ["product_id", "tags", "collections"]);
  const productId = readId(at(payload, "product_id"));
  const tags = ifKnown(at(payload, "tags"), readTags);
  const collections = ifKnown(at(payload, "collections"), (ids) => readList(ids, readId));
  const subject = `product/${productId}`;
  return {
    type: "ProductUpserted",
    subject,
    factKey: `${subject}@${context.occurredAt}`,
    payload: { productId, ...onlyKnown({ tags, collections }) },
  };
}

function readCouponUse(payload: JsonReader, { currency }: PayloadContext): EventContent {
  beginObject(payload, ["code", "order_id", "customer_id", "amount"]);
  const code = readCode(at(payload, "code"));
  const orderId = readId(at(payload, "order_id"));
  const customerId = ifKnown(at(payload, "customer_id"), orNull(readId));
  const amount = ifKnown(at(payload, "amount"), (money) => readMoney(money, currency));
  return {
    type: "CouponUsed",
    subject: `order/${orderId}`,
    factKey: `coupon-used/${code}/${orderId}`,
    payload: { code, orderId, ...onlyKnown({ customerId, amount }) },
  };
}

const REASONS = ["discount_deleted", "code_removed", "expired", "voided"] as const;

function readCouponDeletion(payload: JsonReader): EventContent {
  beginObject(payload, ["discount_ref", "code", "reason"]);
  const discountRef = ifKnown(at(payload, "discount_ref"), orNull(readCode)) ?? null;
  const code = ifKnown(at(payload, "code"), orNull(readCode)) ?? null;
  if (discountRef === null && code === null) addFault(at(payload, "code"), "a code, or a discount_ref");
  const reason = ifKnown(at(payload, "reason"), (word) => readWord(word, REASONS)) ?? "discount_deleted";
  return {
    type: "CouponDeleted",
    subject: `discount/${discountRef ?? code}`,
    factKey: `${reason}/${discountRef ?? ""}/${code ?? ""}`,
    payload: { discountRef, code, reason },
  };
}

function readCouponRelease(payload: JsonReader): EventContent {
  beginObject(payload, ["code", "cart_id"]);
  const code = readCode(at(payload, "code"));
  const cartId = ifKnown(at(payload, "cart_id"), orNull(readId)) ?? null;
  return {
    type: "CouponReleased",
    subject: `discount/${code}`,
    factKey: `coupon-released/${code}/${cartId ?? ""}`,
    payload: { code, cartId },
  };
}

function readFlow(payload: JsonReader): EventContent {
  beginObject(payload, ["run_id", "customer", "point_value", "extends_expiration", "note"]);
  const runId = readCode(at(payload, "run_id"));
  const named = at(payload, "customer");
  beginObject(named, ["id", "email"]);
  const customer =
    has(named, "email") && !has(named, "id")
      ? { email: readWireEmail(at(named, "email")) }
      : { id: readId(at(named, "id")) };
  const nullableText = orNull((text) => readText(text, 255));
  return {
    type: "FlowAdjustRequested",
    subject: "id" in customer ? `customer/${customer.id}` : `email/${customer.email}`,
    factKey: `flow/${runId}`,
    payload: {
      runId,
      customer,
      pointValue: readPoints(at(payload, "point_value")),
      extendsExpiration: ifKnown(at(payload, "extends_expiration"), readBoolean) ?? false,
      note: ifKnown(at(payload, "note"), nullableText) ?? null,
    },
  };
}

function readShop(type: "ShopUninstalled" | "ShopRedacted"): PayloadReader {
  return (payload) => {
    beginObject(payload, ["shop_id"]);
    const shopId = readId(at(payload, "shop_id"));
    return { type, subject: "shop", factKey: `${type}/${shopId}`, payload: { shopId } };
  };
}

function readDataRequest(payload: JsonReader): EventContent {
  beginObject(payload, ["request_id", "customer_id", "orders"]);
  const requestId = readId(at(payload, "request_id"));
  const customerId = readId(at(payload, "customer_id"));
  const orders = ifKnown(at(payload, "orders"), (ids) => readList(ids, readId)) ?? [];
  return {
    type: "CustomerDataRequested",
    subject: `customer/${customerId}`,
    factKey: `data-request/${requestId}`,
    payload: { requestId, customerId, orders },
  };
}

function readTags(list: JsonReader): string[] {
  return [...new Set(readList(list, (tag) => readText(tag, 255).trim()))].filter((tag) => tag !== "");
}

function readBirthday(reader: JsonReader): string {
  const text = readText(reader, 10);
  if (typeof reader.value === "string" && !isBirthdayText(text))
    addFault(reader, 'a date as "1990-05-17" or "--05-17"');
  return text;
}
