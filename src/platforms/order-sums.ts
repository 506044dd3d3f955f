import type { OrderFacts, OrderLine, RefundFact } from "./neutral-events.ts";
import { grossOf } from "./quantity.ts";

/** The fields on which the sums of an order depend, from one event or merged from all of them. */
export type OrderAmounts = Pick<
  OrderFacts,
  "lines" | "goodsDiscount" | "shippingTotal" | "taxTotal" | "tipTotal" | "total" | "taxesIncluded"
>;

/** Returns the discounts of a line in minor units. */
export function discountsOf(line: OrderLine): bigint {
  return line.discounts.reduce((total, { amount }) => total + amount.minor, 0n);
}

/** Returns the price of a line after its own discounts, in minor units, at least 0; with tax as in the order's prices. */
export function netOfLine(line: OrderLine): bigint {
  const net = grossOf(line) - discountsOf(line);
  return net > 0n ? net : 0n;
}

/** Returns what a refund's lines, shipping and adjustments add up to, in minor units: the money that moves where nothing is set off against it. */
export function sumOfRefund(
  { lines, shipping, shippingTax, otherAdjustments }: Omit<RefundFact, "moneyMoved">,
  taxesIncluded: boolean,
): bigint {
  const rest = shipping.minor + shippingTax.minor - otherAdjustments.minor;
  return lines.reduce((sum, { subtotal, tax }) => sum + subtotal.minor + (taxesIncluded ? 0n : tax.minor), rest);
}

/** Returns the total of the order's parts in minor units, with 0 for parts that are not stated; `discount` is subtracted from the goods. */
export function wholeOf(order: OrderAmounts, discount: bigint): bigint {
  const lines = order.lines ?? [];
  const tax = order.taxesIncluded === true ? 0n : (order.taxTotal?.minor ?? total(lines, (line) => line.tax.minor));
  const tips = lines.some(({ kind }) => kind === "tip") ? 0n : (order.tipTotal?.minor ?? 0n);
  return total(lines, netOfLine) - discount + tax + tips + (order.shippingTotal?.minor ?? 0n);
}

/**
 * Returns the part of an order's discount that no line carries, in minor units. 0 if the order's `total` and `shippingTotal` show that the
 * goods were paid without it: it was a discount on the shipping.
 */
export function looseDiscount(order: OrderAmounts): bigint {
  const lines = order.lines ?? [];
  if (order.goodsDiscount === undefined || lines.length === 0) return 0n;
  const loose = order.goodsDiscount.minor - total(lines, discountsOf);
  if (loose <= 0n) return 0n;
  const isOfShipping = order.shippingTotal !== undefined && order.total?.minor === wholeOf(order, 0n);
  return isOfShipping ? 0n : loose;
}

/**
 * Returns the lines with the discount that none of them carried, distributed over the goods by value: in whole minor units, by largest
 * remainder, equal ones by line id. So the shares add up exactly to the discount, and are the same whenever they are computed.
 */
export function linesWithDiscount(order: OrderAmounts): readonly OrderLine[] {
  const lines = order.lines ?? [];
  const loose = looseDiscount(order);
  const currency = order.goodsDiscount?.currency ?? "";
  if (loose === 0n) return lines;
  const shares = sharesOf(loose, lines);
  return lines.map((line) => {
    const minor = shares.get(line.lineId) ?? 0n;
    if (minor === 0n) return line;
    return {
      ...line,
      discounts: [...line.discounts, { code: null, discountRef: "order", amount: { minor, currency } }],
    };
  });
}

function sharesOf(loose: bigint, lines: readonly OrderLine[]): ReadonlyMap<string, bigint> {
  const goods = lines
    .filter(({ kind }) => kind === "product" || kind === "custom")
    .map((line) => ({ lineId: line.lineId, value: netOfLine(line) }))
    .filter(({ value }) => value > 0n);
  const whole = goods.reduce((sum, { value }) => sum + value, 0n);
  if (whole === 0n) return new Map();
  const shared = loose < whole ? loose : whole;
  const parts = goods.map(({ lineId, value }) => ({
    lineId,
    share: (shared * value) / whole,
    rest: (shared * value) % whole,
  }));
  const left = Number(shared - parts.reduce((sum, { share }) => sum + share, 0n)); // below the number of lines
  const byRest = parts.toSorted((a, b) =>
    a.rest === b.rest ? (a.lineId < b.lineId ? -1 : 1) : a.rest > b.rest ? -1 : 1,
  );
  return new Map(byRest.map(({ lineId, share }, i) => [lineId, i < left ? share + 1n : share]));
}

function total(lines: readonly OrderLine[], minorOf: (line: OrderLine) => bigint): bigint {
  return lines.reduce((sum, line) => sum + minorOf(line), 0n);
}
