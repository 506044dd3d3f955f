import type { EventContent } from "../event-content.ts";
import { FINANCIAL_STATUSES, type FinancialStatus } from "../financial-status.ts";
import {
  addFault,
  at,
  has,
  ifGiven,
  ifKnown,
  type JsonReader,
  onlyKnown,
  orNull,
  readInstant,
  readInteger,
  readList,
  readListOrNone,
  readOrNote,
} from "../json-reader.ts";
import type {
  CurrencyCode,
  EditedLine,
  Money,
  OrderCoupon,
  OrderFacts,
  RefundFact,
  ShippingStatus,
} from "../neutral-events.ts";
import { faultOfOrder } from "../order-faults.ts";
import { hasCustomer, stateCustomerOfOrder } from "./customers.ts";
import {
  instantIfGiven,
  isTrue,
  knownWord,
  readAmount,
  readCurrency,
  readEmail,
  readEntityId,
  readShopifyId,
  readTags,
  readTitle,
  refuseFields,
  shopMoneyIfGiven,
  shopMoneyOrNote,
  sumOfMoney,
  type TopicTranslation,
} from "./fields.ts";
import { readFulfillment } from "./fulfillments.ts";
import { readLine, readLineContext } from "./lines.ts";
import { readRefund } from "./refunds.ts";

const PAID: readonly (FinancialStatus | undefined)[] = ["paid", "partially_refunded", "refunded"];
const SHIPPING: readonly ShippingStatus[] = ["partial", "fulfilled", "restocked"];

/** The six order topics share one form, so they are read in the same way: the body says whether it is paid, shipped or cancelled. */
export const translateOrder: TopicTranslation = (body, context) => {
  refuseFields(body, "orders/*", ["order_id", "order_edit", "refund_line_items", "shop_domain"]);
  const facts = readOrder(body);
  const version = facts.updatedAt;
  const order: EventContent = {
    type: "OrderUpdated",
    subject: `order/${facts.orderId}`,
    factKey: `order/${facts.orderId}@${at(body, "updated_at").value ?? ""}#${context.bodyHash}`,
    test: isTrue(at(body, "test")),
    payload: facts,
    ...onlyKnown({ occurredAt: version, entityVersion: version }),
  };
  const customer = at(body, "customer");
  if (!hasCustomer(customer)) return [order];
  // the order needs the id; no point of the order depends on other customer data
  const profile = readOrNote(customer, (alone) => stateCustomerOfOrder(alone, body));
  return profile === undefined ? [order] : [profile, order];
};

function readOrder(body: JsonReader): OrderFacts {
  const currency = readCurrency(at(body, "currency"));
  const taxesIncluded = isTrue(at(body, "taxes_included"));
  const context = readLineContext(body, currency);
  const refunds = readListOrNone(at(body, "refunds"), (refund) => readRefund(refund, currency, taxesIncluded));
  const facts: OrderFacts = {
    orderId: readEntityId(body, "Order"),
    customerId: customerIdOf(body),
    shopCurrency: currency,
    taxesIncluded,
    lines: readList(at(body, "line_items"), (line) => readLine(line, context)),
    coupons: readCoupons(body, currency),
    fulfillments: readListOrNone(at(body, "fulfillments"), readFulfillment),
    refunds,
    ...readState(body, refunds),
    ...readTotals(body, currency),
  };
  const fault = faultOfOrder(facts);
  if (fault !== null) addFault(at(body, "line_items"), fault);
  return facts;
}

/**
 * Returns by when an order that a body states as paid was paid; the earliest of such times is the closest. A body was written after the
 * payment, an order is archived when it is paid and shipped, and money is given back after it was paid: in a body from the history, which
 * was written after the last change, these times are much closer.
 */
function paidBy(body: JsonReader, updatedAt: Temporal.Instant, refunds: readonly RefundFact[]): Temporal.Instant {
  const archivedAt = readOrNote(at(body, "closed_at"), instantIfGiven);
  const refundedAt = refunds.flatMap(({ moneyMoved, createdAt }) =>
    (moneyMoved?.minor ?? 0n) > 0n ? [createdAt] : [],
  );
  const times = [updatedAt, ...(archivedAt === undefined ? [] : [archivedAt]), ...refundedAt];
  return times.reduce((first, time) => (Temporal.Instant.compare(time, first) < 0 ? time : first));
}

function readState(body: JsonReader, refunds: readonly RefundFact[]): Partial<OrderFacts> {
  const financialStatus = knownWord(at(body, "financial_status"), FINANCIAL_STATUSES);
  const createdAt = readInstant(at(body, "created_at"));
  const updatedAt = instantIfGiven(at(body, "updated_at")) ?? createdAt;
  const shipping = at(body, "fulfillment_status");
  return {
    createdAt,
    updatedAt,
    processedAt: instantIfGiven(at(body, "processed_at")) ?? createdAt,
    ...onlyKnown({
      orderName: ifGiven(at(body, "name"), readTitle),
      email: ifKnown(at(body, has(body, "email") ? "email" : "contact_email"), readEmail),
      paidAt: PAID.includes(financialStatus) ? paidBy(body, updatedAt, refunds) : undefined,
      cancelledAt: ifKnown(at(body, "cancelled_at"), orNull(readInstant)),
      cancelReason: ifKnown(at(body, "cancel_reason"), orNull(readTitle)),
      financialStatus,
      fulfillmentStatus: shipping.value === null ? "unfulfilled" : knownWord(shipping, SHIPPING),
      presentmentCurrency: readOrNote(at(body, "presentment_currency"), (code) => ifGiven(code, readCurrency)),
      channel: ifKnown(at(body, "source_name"), orNull(readTitle)),
      tags: readTags(at(body, "tags")),
    }),
  };
}

/** Points depend on none of them: totals that cannot be read are noted. */
function readTotals(body: JsonReader, currency: CurrencyCode): Partial<OrderFacts> {
  return onlyKnown({
    subtotal: shopMoneyOrNote(body, "subtotal_price", currency),
    discountTotal: shopMoneyOrNote(body, "total_discounts", currency),
    shippingTotal: readOrNote(at(body, "shipping_lines"), (lines) =>
      sumOfMoney(
        currency,
        readListOrNone(lines, (line) => readShipping(line, currency)),
      ),
    ),
    taxTotal: shopMoneyOrNote(body, "total_tax", currency),
    tipTotal: shopMoneyOrNote(body, "total_tip_received", currency),
    total: shopMoneyOrNote(body, "total_price", currency),
    outstanding: readOrNote(at(body, "total_outstanding"), (outstanding) =>
      ifGiven(outstanding, (amount) => readAmount(amount, currency)),
    ),
  });
}

function readShipping(line: JsonReader, currency: CurrencyCode): Money {
  if (isTrue(at(line, "is_removed"))) return sumOfMoney(currency, []);
  const discounted = shopMoneyIfGiven(line, "discounted_price", currency);
  return discounted ?? shopMoneyIfGiven(line, "price", currency) ?? sumOfMoney(currency, []);
}

/** Reads the codes that the buyer entered. A draft order's manual discount may be among them with an empty code. */
function readCoupons(body: JsonReader, currency: CurrencyCode): OrderCoupon[] {
  const coupons = readListOrNone(at(body, "discount_codes"), (coupon) => ({
    code: readTitle(at(coupon, "code")),
    ...onlyKnown({ amount: readOrNote(at(coupon, "amount"), (amount) => readAmount(amount, currency)) }),
    type: readTitle(at(coupon, "type")),
  }));
  return coupons.filter(({ code }) => code !== "");
}

function customerIdOf(body: JsonReader): string | null {
  const customer = at(body, "customer");
  return hasCustomer(customer) ? readEntityId(customer, "Customer") : null;
}

/** orders/edited contains only differences; the order's own body follows with another topic. */
export const translateOrderEdit: TopicTranslation = (body) => {
  const edit = at(body, "order_edit");
  const orderId = readShopifyId(at(edit, "order_id"));
  const editId = readShopifyId(at(edit, "id"));
  const additions = readListOrNone(at(at(edit, "line_items"), "additions"), readEditedLine);
  const removals = readListOrNone(at(at(edit, "line_items"), "removals"), readEditedLine);
  return [
    {
      type: "OrderEdited",
      subject: `order/${orderId}`,
      factKey: `order-edit/${editId}`,
      payload: { orderId, editId, additions, removals },
      ...onlyKnown({ occurredAt: instantIfGiven(at(edit, "committed_at")) }),
    },
  ];
};

function readEditedLine(line: JsonReader): EditedLine {
  return {
    lineId: readShopifyId(at(line, "id")),
    delta: readInteger(at(line, "delta"), -1_000_000_000, 1_000_000_000),
  };
}

/** orders/delete has only the id. */
export const translateOrderDeletion: TopicTranslation = (body) => {
  refuseFields(body, "orders/delete", ["line_items", "order_id", "email", "state", "shop_domain"]);
  const orderId = readEntityId(body, "Order");
  return [
    { type: "OrderDeleted", subject: `order/${orderId}`, factKey: `order-deleted/${orderId}`, payload: { orderId } },
  ];
};
