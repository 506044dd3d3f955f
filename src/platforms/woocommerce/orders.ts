import type { EventContent } from "../event-content.ts";
import type { FinancialStatus } from "../financial-status.ts";
import { addFault, at, type JsonReader, onlyKnown, readList, readListOrNone } from "../json-reader.ts";
import type { CurrencyCode, OrderCoupon, OrderFacts } from "../neutral-events.ts";
import { faultOfOrder } from "../order-faults.ts";
import { netOfLine } from "../order-sums.ts";
import {
  gmtIfGiven,
  idOrNone,
  readWooAmount,
  readWooCurrency,
  readWooEmail,
  readWooId,
  readWooText,
  refuseWooFields,
  type WooTranslation,
  wooName,
  wooNameReading,
} from "./fields.ts";
import { readWooFee, readWooLine, sumOfWoo, type WooLineContext, wooFeeDiscount } from "./lines.ts";
import { readWooRefund } from "./refunds.ts";
import { withOrderSums } from "./sums.ts";

/** Not orders yet, or in the bin: nothing depends on the content of their bodies. */
const NO_ORDER_STATUSES = ["auto-draft", "checkout-draft", "new", "trash"];
const UNPAID_STATUSES: ReadonlyMap<string, FinancialStatus> = new Map([
  ["pending", "pending"],
  ["on-hold", "pending"],
  ["processing", "pending"], // cash on delivery
  ["failed", "expired"], // it may be paid by another attempt, with the coupons that it has
  ["cancelled", "voided"],
]);

/** By how much the store's clock may be ahead. */
const CLOCKS_APART_S = 86_400;
const NANOSECONDS_MAX = 999_999_999;
const BEFORE_ALL_VERSIONS = Temporal.Instant.fromEpochMilliseconds(0);
/** It becomes `processing` unpaid: the courier takes the money, and WooCommerce sets the time of payment when it is `completed`. */
const CASH_ON_DELIVERY = "cod";

/** order.created, order.updated, order.restored: one form, and the status decides, not the topic. */
export const translateWooOrder: WooTranslation = (body, { bodyHash, receivedAt }) => {
  refuseWooFields(body, "order.*", ["categories", "is_paying_customer"]);
  const status = readWooText(at(body, "status"));
  if (status === "") addFault(at(body, "status"), "the status of the order");
  const facts = readOrder(body, status);
  if (NO_ORDER_STATUSES.includes(status)) return [];
  const { updatedAt } = facts;
  const order: EventContent = {
    type: "OrderUpdated",
    subject: `order/${facts.orderId}`,
    factKey: `order/${facts.orderId}@${updatedAt ?? ""}#${bodyHash}`,
    payload: facts,
    ...onlyKnown({
      occurredAt: updatedAt,
      entityVersion: updatedAt,
      contentVersion: updatedAt && contentVersionOf(updatedAt, receivedAt),
    }),
  };
  const { customerId } = facts;
  if (customerId == null) return [order];
  // it creates the customer if no webhook did; a name on a bill is older than any that the account states
  const names = { name: wooName(at(body, "billing")) ?? undefined, nameReading: wooNameReading(body) ?? undefined };
  const customer: EventContent = {
    type: "CustomerUpserted",
    subject: `customer/${customerId}`,
    factKey: `customer-of-order/${customerId}/${facts.orderId}`,
    entityVersion: BEFORE_ALL_VERSIONS,
    payload: { customerId, ...onlyKnown(names) },
  };
  return [customer, order];
};

/**
 * Returns the version of what a body contains: when the order changed, and in the nanoseconds of that second how many seconds later the body was
 * received. Stores that keep orders as posts do not change the time when only lines, sums or the customer are edited. WooCommerce writes a body
 * when it sends it and never sends it again, so of two bodies with the same time the one that came later is the newer one (decision 83).
 */
function contentVersionOf(updatedAt: Temporal.Instant, receivedAt: Temporal.Instant): Temporal.Instant {
  const laterS = Math.floor((receivedAt.epochMilliseconds - updatedAt.epochMilliseconds) / 1000) + CLOCKS_APART_S;
  return updatedAt.add({ nanoseconds: Math.min(Math.max(laterS, 0), NANOSECONDS_MAX) });
}

/** order.deleted has only the id. */
export const translateWooOrderDeletion: WooTranslation = (body) => {
  refuseWooFields(body, "order.deleted", ["line_items", "email", "status", "categories"]);
  const orderId = readWooId(at(body, "id"));
  return [
    { type: "OrderDeleted", subject: `order/${orderId}`, factKey: `order-deleted/${orderId}`, payload: { orderId } },
  ];
};

function readOrder(body: JsonReader, status: string): OrderFacts {
  const currency = readWooCurrency(at(body, "currency"));
  const taxesIncluded = at(body, "prices_include_tax").value === true;
  const coupons = readListOrNone(at(body, "coupon_lines"), (coupon) => readCoupon(coupon, currency, taxesIncluded));
  const context: WooLineContext = { currency, taxesIncluded, coupons: coupons.filter(({ code }) => code !== "") };
  const createdAt = gmtIfGiven(body, "date_created");
  if (createdAt === undefined) addFault(at(body, "date_created_gmt"), "the time of the order in UTC");
  const updatedAt = gmtIfGiven(body, "date_modified") ?? createdAt;
  const facts: OrderFacts = {
    orderId: readWooId(at(body, "id")),
    customerId: idOrNone(at(body, "customer_id")),
    orderName: `#${readWooText(at(body, "number"))}`,
    email: readWooEmail(at(at(body, "billing"), "email")),
    channel: readWooText(at(body, "created_via")) || null,
    shopCurrency: currency,
    taxesIncluded,
    coupons: context.coupons,
    fulfillments: [],
    refunds: readListOrNone(at(body, "refunds"), (refund) =>
      readWooRefund(refund, { currency, taxesIncluded, createdAt }),
    ),
    ...onlyKnown({ createdAt, processedAt: createdAt, updatedAt }),
    ...readState(body, status, updatedAt),
    ...readAmounts(body, context),
  };
  const fault = faultOfOrder(facts);
  if (fault !== null) addFault(at(body, "line_items"), fault);
  return facts;
}

/**
 * Reads the status. Only `completed` means that everything was shipped; for later states, and for states that plugins add, the time of
 * completion says so, otherwise the previous statement stays. An order that was cancelled unpaid may still be paid (its stock was held
 * too long), so only a paid one is cancelled for good.
 */
function readState(body: JsonReader, status: string, updatedAt: Temporal.Instant | undefined): Partial<OrderFacts> {
  const datePaid = gmtIfGiven(body, "date_paid");
  const isPaidByStatus = status === "processing" && at(body, "payment_method").value !== CASH_ON_DELIVERY;
  const isPaid = datePaid !== undefined || isPaidByStatus || status === "completed";
  const paidStatus: FinancialStatus = status === "refunded" ? "refunded" : "paid";
  const isOpen = UNPAID_STATUSES.has(status);
  const completedAt = gmtIfGiven(body, "date_completed");
  // a plugin's state after completion, in an order that is only known since
  const wasCompleted = completedAt !== undefined && !isOpen && status !== "refunded";
  const isCompleted = status === "completed" || wasCompleted;
  const isCancelled = status === "cancelled" && isPaid;
  return onlyKnown({
    financialStatus: isPaid ? paidStatus : UNPAID_STATUSES.get(status),
    paidAt: isPaid ? (datePaid ?? updatedAt) : undefined,
    isFulfilledWhole: isCompleted ? true : isOpen && status !== "cancelled" ? false : undefined,
    fulfilledAt: isCompleted ? (completedAt ?? updatedAt) : undefined,
    fulfillmentStatus: status === "completed" ? "fulfilled" : undefined,
    cancelledAt: isCancelled ? updatedAt : undefined,
    cancelReason: isCancelled ? "cancelled" : undefined,
  } as const);
}

function readAmounts(body: JsonReader, context: WooLineContext): Partial<OrderFacts> {
  const { currency, taxesIncluded } = context;
  const amount = (name: string) => readWooAmount(at(body, name), currency);
  const stated = readList(at(body, "line_items"), (line) => readWooLine(line, context));
  const goods = withOrderSums(stated, body, context);
  const fees = readListOrNone(at(body, "fee_lines"), (fee) => readWooFee(fee, context)).filter((fee) => fee !== null);
  const negativeFees = readListOrNone(at(body, "fee_lines"), (fee) => wooFeeDiscount(fee, context));
  const feeDiscount = sumOfWoo(currency, negativeFees).minor;
  const lineDiscounts = goods.flatMap(({ discounts }) => discounts.map(({ amount }) => amount.minor));
  const discount = sumOfWoo(currency, [...lineDiscounts, feeDiscount]);
  const shipping = [amount("shipping_total").minor, taxesIncluded ? amount("shipping_tax").minor : 0n];
  return {
    lines: [...goods, ...fees],
    subtotal: sumOfWoo(currency, [...goods.map(netOfLine), -feeDiscount]),
    discountTotal: discount,
    ...(feeDiscount === 0n ? {} : { goodsDiscount: discount }),
    shippingTotal: sumOfWoo(currency, shipping),
    taxTotal: amount("total_tax"),
    total: amount("total"),
  };
}

/** Reads a coupon and its discount on the order, with tax as in the order's prices. */
function readCoupon(coupon: JsonReader, currency: CurrencyCode, taxesIncluded: boolean): OrderCoupon {
  const tax = taxesIncluded ? readWooAmount(at(coupon, "discount_tax"), currency).minor : 0n;
  const amount = sumOfWoo(currency, [readWooAmount(at(coupon, "discount"), currency).minor, tax]);
  return { code: readWooText(at(coupon, "code")), amount, type: "coupon" };
}
