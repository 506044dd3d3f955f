import {
  addFault,
  at,
  type JsonReader,
  readInstant,
  readListOrNone,
  readOrNote,
  readQuantity,
} from "../json-reader.ts";
import { isObject } from "../json-source.ts";
import { isCurrencyCode } from "../money.ts";
import type { CurrencyCode, Money, RefundFact, RefundLine } from "../neutral-events.ts";
import { sumOfRefund } from "../order-sums.ts";
import {
  type Context,
  idByEither,
  knownWord,
  parseGid,
  readAmount,
  readEntityId,
  readPositiveShopMoney,
  readShopifyId,
  refuseFields,
  shopMoneyIfGiven,
  shopMoneyOrNote,
  sumOfMoney,
  type TopicTranslation,
} from "./fields.ts";
import { readLineShare, readLineTax } from "./lines.ts";

const RESTOCKS = ["no_restock", "cancel", "return", "legacy_restock"] as const;

/** refunds/create: returned goods, moved money, or both (platforms.md 1.5). */
export const translateRefund: TopicTranslation = (body, context) => {
  refuseFields(body, "refunds/create", ["line_items", "financial_status", "shop_domain"]);
  if (at(body, "refund_line_items").value === undefined) addFault(at(body, "refund_line_items"), "a list");
  const orderId = readShopifyId(at(body, "order_id"));
  const refund = readRefund(body, currencyOf(body, context), null);
  return [
    {
      type: "OrderRefunded",
      subject: `order/${orderId}`,
      factKey: `refund/${refund.refundId}`,
      occurredAt: refund.createdAt,
      payload: { orderId, refund },
    },
  ];
};

/** Reads a refund's facts. `taxesIncluded`: that of its order; null if the body is separate and does not state it. */
export function readRefund(refund: JsonReader, currency: CurrencyCode, taxesIncluded: boolean | null): RefundFact {
  const lines = readListOrNone(at(refund, "refund_line_items"), (line) => readRefundLine(line, currency));
  const { shipping, shippingTax, other } = readAdjustments(refund, currency, taxesIncluded);
  const facts = {
    refundId: readEntityId(refund, "Refund"),
    createdAt: readInstant(at(refund, "created_at")),
    lines,
    shipping: sumOfMoney(currency, [shipping, ...readCharges(refund, currency)]),
    shippingTax,
    otherAdjustments: other,
  };
  const moneyMoved = readMoneyMoved(refund, facts, taxesIncluded);
  return { ...facts, moneyMoved, ...creditOf(refund, { ...facts, moneyMoved }, taxesIncluded) };
}

/** Reads what was given back of duties and additional fees: like shipping, it is no money for goods. */
function readCharges(refund: JsonReader, currency: CurrencyCode): Money[] {
  const charges = ["total_duties", "total_additional_fees"].map((name) => shopMoneyOrNote(refund, name, currency));
  return charges.filter((charge) => charge !== undefined).map(magnitude);
}

function readRefundLine(line: JsonReader, currency: CurrencyCode): RefundLine {
  const embedded = at(line, "line_item");
  const quantity = readQuantity(at(line, "quantity"));
  const subtotal = shopMoneyIfGiven(line, "subtotal", currency);
  const share = subtotal === undefined ? readLineShare(embedded, quantity, currency) : null;
  if (subtotal === undefined && share === null) addFault(at(line, "subtotal"), "the amount of the refunded line");
  const gid = parseGid(at(embedded, "admin_graphql_api_id"));
  return {
    lineId: idByEither(at(line, "line_item_id"), gid?.kind === "LineItem" ? gid.id : undefined),
    quantity,
    restock: knownWord(at(line, "restock_type"), RESTOCKS) ?? "unknown",
    subtotal: subtotal ?? share?.subtotal ?? sumOfMoney(currency, []),
    tax: shopMoneyIfGiven(line, "total_tax", currency) ?? share?.tax ?? sumOfMoney(currency, []),
  };
}

/** Adjustments are negative if more was given back than the sum of the lines: a refund of shipping is below 0. */
function readAdjustments(
  refund: JsonReader,
  currency: CurrencyCode,
  taxesIncluded: boolean | null,
): Record<"shipping" | "shippingTax" | "other", Money> {
  const adjustments = readListOrNone(at(refund, "order_adjustments"), (adjustment) => ({
    isShipping: at(adjustment, "kind").value === "shipping_refund",
    amount: shopMoneyIfGiven(adjustment, "amount", currency) ?? readAmount(at(adjustment, "amount"), currency),
    tax: shopMoneyIfGiven(adjustment, "tax_amount", currency) ?? sumOfMoney(currency, []),
  }));
  const ofShipping = adjustments.filter(({ isShipping }) => isShipping);
  const others = adjustments.filter(({ isShipping }) => !isShipping);
  const { shipping, tax } =
    ofShipping.length > 0
      ? {
          shipping: sumOfMoney(
            currency,
            ofShipping.map(({ amount }) => amount),
          ),
          tax: sumOfMoney(
            currency,
            ofShipping.map((one) => one.tax),
          ),
        }
      : readShippingLines(refund, currency, taxesIncluded);
  return {
    shipping: magnitude(shipping),
    shippingTax: magnitude(tax),
    other: sumOfMoney(
      currency,
      others.flatMap(({ amount, tax }) => [amount, tax]),
    ),
  };
}

/** Newer bodies name the refunded shipping a second time, without its tax: it is read only if no adjustment states it. */
function readShippingLines(
  refund: JsonReader,
  currency: CurrencyCode,
  taxesIncluded: boolean | null,
): { readonly shipping: Money; readonly tax: Money } {
  const lines = readListOrNone(at(refund, "refund_shipping_lines"), (line) => {
    const shipping =
      shopMoneyIfGiven(line, "subtotal_amount", currency) ?? readPositiveShopMoney(line, "amount", currency);
    const tax = shopMoneyIfGiven(line, "tax_amount", currency);
    return { shipping, tax: tax ?? (taxesIncluded === false ? shippingTaxOf(line, shipping) : null) };
  });
  return {
    shipping: sumOfMoney(
      currency,
      lines.map((line) => line.shipping),
    ),
    tax: sumOfMoney(
      currency,
      lines.flatMap((line) => line.tax ?? []),
    ),
  };
}

/** Returns the tax of refunded shipping that does not state its own: its share of the tax of the shipping line. null: none is stated. */
function shippingTaxOf(line: JsonReader, { minor, currency }: Money): Money | null {
  const read = readOrNote(at(line, "shipping_line"), (whole) => {
    const price = shopMoneyIfGiven(whole, "discounted_price", currency) ?? shopMoneyIfGiven(whole, "price", currency);
    return { price: price?.minor ?? 0n, tax: readLineTax(whole, currency).minor };
  });
  if (read === undefined || read.price <= 0n) return null;
  return { minor: (read.tax * (minor < read.price ? minor : read.price)) / read.price, currency };
}

/**
 * Reads successful refund transactions. null if there are none to be read, or if they are in the buyer's currency and the parts, which are
 * in the shop's, cannot be added up instead.
 */
function readMoneyMoved(
  refund: JsonReader,
  parts: Omit<RefundFact, "moneyMoved">,
  taxesIncluded: boolean | null,
): Money | null {
  const transactions = at(refund, "transactions");
  const { currency } = parts.shipping;
  if (transactions.value == null) return null;
  const moved = readListOrNone(transactions, (transaction) => readMovement(transaction, currency)).filter(
    (one) => one !== null,
  );
  if (moved.every((money) => money.currency === currency)) return sumOfMoney(currency, moved);
  return taxesIncluded === null ? null : { minor: sumOfRefund(parts, taxesIncluded), currency };
}

/**
 * Returns what a return's lines were worth beyond the money that moved. Where a merchant gives back less than the lines, an adjustment says
 * so; without one, the value was set off against the lines for which they were exchanged, or against a fee of the return. A body without the
 * order's taxes says only that it is of a return.
 */
function creditOf(
  refund: JsonReader,
  facts: RefundFact,
  taxesIncluded: boolean | null,
): Pick<RefundFact, "credited" | "isOfReturn"> | null {
  const { moneyMoved, lines } = facts;
  const isOfReturn = isObject(at(refund, "return").value) && lines.length > 0;
  if (!isOfReturn || moneyMoved === null || moneyMoved.minor <= 0n) return null;
  const statuses = readListOrNone(at(refund, "transactions"), (transaction) => at(transaction, "status").value);
  if (statuses.includes("pending")) return null; // the rest of the money is on its way
  if (taxesIncluded === null) return { isOfReturn };
  const minor = sumOfRefund(facts, taxesIncluded) - moneyMoved.minor;
  return minor > 0n ? { credited: { minor, currency: moneyMoved.currency } } : null;
}

function readMovement(transaction: JsonReader, shopCurrency: CurrencyCode): Money | null {
  if (at(transaction, "kind").value !== "refund" || at(transaction, "status").value !== "success") return null;
  const { value } = at(transaction, "currency");
  const currency = typeof value === "string" && isCurrencyCode(value) ? value : shopCurrency;
  return readAmount(at(transaction, "amount"), currency);
}

/** A refund's body names the shop's currency only inside its money sets; old bodies only in the transactions, which are in the shop's currency. */
function currencyOf(refund: JsonReader, context: Context): CurrencyCode {
  const sets = [
    ...readListOrNone(at(refund, "refund_line_items"), (line) => at(line, "subtotal_set")),
    ...readListOrNone(at(refund, "order_adjustments"), (adjustment) => at(adjustment, "amount_set")),
    ...readListOrNone(at(refund, "refund_shipping_lines"), (line) => at(line, "subtotal_amount_set")),
    at(refund, "total_duties_set"),
  ].map((set) => at(at(set, "shop_money"), "currency_code"));
  const named = [...sets, ...readListOrNone(at(refund, "transactions"), (transaction) => at(transaction, "currency"))];
  const codes = named.map(({ value }) => value).filter((value) => typeof value === "string");
  return codes.find(isCurrencyCode) ?? context.currency;
}

function magnitude(money: Money): Money {
  return money.minor < 0n ? { ...money, minor: -money.minor } : money;
}
