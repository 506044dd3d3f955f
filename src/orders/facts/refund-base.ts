import type { OrderLine, RefundFact, RefundLine } from "../../platforms/neutral-events.ts";
import { netOfLine, sumOfRefund } from "../../platforms/order-sums.ts";
import { addQuantities } from "../../platforms/quantity.ts";
import {
  compare,
  type Fraction,
  fraction,
  greatest,
  isNearZero,
  least,
  minus,
  ONE,
  ofQuantity,
  over,
  plus,
  shortened,
  times,
  ZERO,
} from "../plan/fraction.ts";
import { linesOf, type StoredFacts } from "./order-facts.ts";

/** What refunds and removals left of one line. */
export interface LineRemains {
  readonly lineId: string;
  /** Units as ordered, at least 0. */
  readonly quantity: number;
  /** Units that were neither refunded nor removed. */
  readonly keptQuantity: number;
  /** Refunded units that had been shipped and were returned. */
  readonly returnedQuantity: number;
  /** The part of the line's money that is left, 0 to 1; 1 for a line without money. */
  readonly money: Fraction;
  /** The same of its money without the tax. It differs from `money` by cents: the tax of a part of the units is rounded. */
  readonly net: Fraction;
}

/** The state of a line while refunds are subtracted one after the other. */
interface OpenLine {
  readonly line: OrderLine;
  /** What the buyer paid for it, including tax, in minor units. */
  readonly paid: bigint;
  /** The tax in it, at most all of it. */
  readonly tax: bigint;
  /** The goods of the order; null for a tip or a fee, which no refund takes in proportion. */
  readonly goods: Goods | null;
  /** What is left of its money: this times the scale of the goods. */
  own: Fraction;
  /** What is left of its tax, in the same way. */
  ownTax: Fraction;
  refunded: number;
  returned: number;
}

/** All goods lines together: a refund in proportion changes the scale, and not each of thousands of lines. */
interface Goods {
  scale: Fraction;
  /** What is left of their money. */
  total: Fraction;
}

type LinesById = ReadonlyMap<string, OpenLine>;

/**
 * Returns what is left of each line after `refunds` (program.md 4, Refund), by line id. `refunds` is `facts.refunds` or a part of it.
 *
 * Each refund takes the goods money that moved (all money less shipping and its tax): first from its own lines up to their amount, in
 * proportion if less moved, and the rest in proportion from what is left of all goods lines. If no money moved, or its amount is unknown,
 * the refund counts as if the money of its lines had moved. So the base falls by the money, once: money that moves after lines of a paid
 * order were removed without any settles that removal first. Value that was credited counts as money that moved: the new lines that it paid
 * for are in the base.
 */
export function remainsOf(facts: StoredFacts, refunds: readonly RefundFact[]): ReadonlyMap<string, LineRemains> {
  const taxesIncluded = facts.stated.taxesIncluded ?? false;
  const goods: Goods = { scale: ONE, total: ZERO };
  const lines = linesOf(facts).map((line): OpenLine => {
    const paid = lineAmount(line) + (taxesIncluded ? 0n : line.tax.minor);
    const isGoods = line.kind !== "tip" && line.kind !== "fee";
    if (isGoods) goods.total = plus(goods.total, fraction(paid));
    const tax = line.tax.minor < paid ? line.tax.minor : paid;
    const own = { own: fraction(paid), ownTax: fraction(tax) };
    return { line, paid, tax, goods: isGoods ? goods : null, ...own, refunded: 0, returned: 0 };
  });
  const byId: LinesById = new Map(lines.toReversed().map((open) => [open.line.lineId, open]));
  const isPaidBefore = paidBefore(facts);
  let unsettled = ZERO;
  for (const refund of refunds) {
    const rest = takeLines(byId, refund, taxesIncluded);
    const isRemoval = refund.moneyMoved?.minor === 0n;
    const settled = isRemoval ? ZERO : least(rest, unsettled);
    const owed = isRemoval && isPaidBefore(refund) ? linesTotal(byId, refund, taxesIncluded) : ZERO;
    unsettled = shortened(plus(minus(unsettled, settled), owed));
    takeInProportion(lines, goods, minus(rest, settled));
  }
  const named = namedUnits(facts.refunds);
  return new Map(lines.map((open) => [open.line.lineId, closed(open, unnamedRemovals(open.line, named))]));
}

/**
 * Computing what one refund changes means computing the whole order again. So if more refunds than these are new at once, they are
 * computed in as many groups, and a group counts as its last refund. Such an order comes from a broken script, not from a shop.
 */
const STEPS_MAX = 25;

/** Returns refunds that are new to an order in the groups that are counted one after the other: each on its own up to `STEPS_MAX`. */
export function refundSteps(fresh: readonly RefundFact[]): readonly (readonly RefundFact[])[] {
  const size = Math.max(1, Math.ceil(fresh.length / STEPS_MAX));
  return Array.from({ length: Math.ceil(fresh.length / size) }, (_, n) => fresh.slice(n * size, (n + 1) * size));
}

/** Returns the price of a line after its discounts, with tax as in the order's prices; minor units, at least 0. */
export function lineAmount(line: OrderLine): bigint {
  return netOfLine(line);
}

/** Subtracts a refund's lines; returns the goods money that its lines did not use up. */
function takeLines(lines: LinesById, refund: RefundFact, taxesIncluded: boolean): Fraction {
  const total = linesTotal(lines, refund, taxesIncluded);
  const goodsMoney = goodsMoneyOf(refund, total, taxesIncluded);
  const share = compare(total, ZERO) === 0 ? ONE : least(ONE, over(goodsMoney, total));
  let taken = ZERO;
  for (const refundLine of refund.lines) {
    const open = lines.get(refundLine.lineId);
    if (open === undefined) continue;
    const left = leftOf(open);
    const amount = refundLineAmount(open, refundLine, taxesIncluded);
    const money = least(left, times(fraction(amount), share));
    take(open, left, { money, tax: times(refundLineTax(open, refundLine, amount), share) });
    taken = shortened(plus(taken, money));
    const units = Math.max(0, Math.min(refundLine.quantity, addQuantities(open.line.quantity, -open.refunded)));
    open.refunded = addQuantities(open.refunded, units);
    if (refundLine.restock === "return") open.returned = addQuantities(open.returned, units);
    if (compare(share, ONE) === 0) dropDust(open);
  }
  return greatest(minus(goodsMoney, taken), ZERO);
}

/** Drops the cents that a platform's rounding leaves on a line whose units were all refunded: without goods there is no base. */
function dropDust(open: OpenLine): void {
  if (open.refunded !== open.line.quantity) return;
  const left = leftOf(open);
  if (compare(left, fraction(BigInt(Math.ceil(open.refunded)))) <= 0) take(open, left, { money: left, tax: left });
}

function leftOf({ own, goods }: OpenLine): Fraction {
  return goods === null ? own : times(own, goods.scale);
}

/** Takes money from a line, at most what is left of it, and the tax in it. */
function take(open: OpenLine, left: Fraction, { money, tax }: { money: Fraction; tax: Fraction }): void {
  if (money.num === 0n) return;
  const { goods } = open;
  const keeps = minus(left, money);
  const unscaled = (one: Fraction) => (goods === null || one.num === 0n ? one : shortened(over(one, goods.scale)));
  if (open.ownTax.num !== 0n) open.ownTax = unscaled(least(keeps, greatest(ZERO, minus(taxLeftOf(open), tax))));
  open.own = unscaled(keeps);
  if (goods !== null) goods.total = shortened(minus(goods.total, money));
}

function taxLeftOf({ ownTax, goods }: OpenLine): Fraction {
  return goods === null || ownTax.num === 0n ? ownTax : times(ownTax, goods.scale);
}

function takeInProportion(lines: readonly OpenLine[], goods: Goods, amount: Fraction): void {
  if (amount.num === 0n || isNearZero(goods.total)) return;
  const part = over(amount, goods.total);
  const scale = shortened(times(goods.scale, minus(ONE, part)));
  if (compare(part, ONE) < 0 && scale.num !== 0n) {
    goods.scale = scale;
    goods.total = shortened(minus(goods.total, amount));
    return;
  }
  for (const open of lines) if (open.goods !== null) Object.assign(open, { own: ZERO, ownTax: ZERO });
  Object.assign(goods, { scale: ONE, total: ZERO });
}

function goodsMoneyOf(refund: RefundFact, linesTotal: Fraction, taxesIncluded: boolean): Fraction {
  if (refund.moneyMoved === null || refund.moneyMoved.minor === 0n) return linesTotal;
  const goods = refund.moneyMoved.minor - refund.shipping.minor - refund.shippingTax.minor;
  return greatest(ZERO, fraction(goods + creditOf(refund, taxesIncluded)));
}

/** Returns the value of a return that was set off; where the refund's own body did not know the taxes, as its parts say with those of the order. */
function creditOf(refund: RefundFact, taxesIncluded: boolean): bigint {
  const { credited, isOfReturn, moneyMoved } = refund;
  if (credited !== undefined || isOfReturn !== true || moneyMoved === null) return credited?.minor ?? 0n;
  const rest = sumOfRefund(refund, taxesIncluded) - moneyMoved.minor;
  return rest > 0n ? rest : 0n;
}

function linesTotal(lines: LinesById, refund: RefundFact, taxesIncluded: boolean): Fraction {
  const amounts = refund.lines.map((refundLine) => {
    const open = lines.get(refundLine.lineId);
    return open === undefined ? 0n : refundLineAmount(open, refundLine, taxesIncluded);
  });
  return fraction(amounts.reduce((total, amount) => total + amount, 0n));
}

/** Returns a refund line's amount, never more than was paid for the line. */
function refundLineAmount(open: OpenLine, { subtotal, tax }: RefundLine, taxesIncluded: boolean): bigint {
  const amount = subtotal.minor + (taxesIncluded ? 0n : tax.minor);
  return amount < open.paid ? amount : open.paid;
}

/** Returns the tax in a refund line's amount; its share if the line has tax and the refund states none. */
function refundLineTax({ paid, tax }: OpenLine, refundLine: RefundLine, amount: bigint): Fraction {
  if (tax <= 0n || paid <= 0n) return ZERO;
  return refundLine.tax.minor > 0n ? fraction(refundLine.tax.minor) : fraction(amount * tax, paid);
}

/**
 * Returns whether the order was paid when a refund was made. Of an order that became known later than it was paid, as from a platform's history, the
 * time of payment is unknown: money was given back before the time at which it was first seen as paid. Such an order counts as paid before.
 */
function paidBefore({ paidAt, refunds }: StoredFacts): (refund: RefundFact) => boolean {
  if (paidAt === null) return () => false;
  const isBy = (one: RefundFact): boolean => Temporal.Instant.compare(one.createdAt, paidAt) <= 0;
  const isSeenLate = refunds.some((one) => (one.moneyMoved?.minor ?? 0n) > 0n && isBy(one));
  return (refund) => isSeenLate || Temporal.Instant.compare(paidAt, refund.createdAt) <= 0;
}

/** Returns units that the order's body no longer counts and no refund names: some platforms state removals this way. */
function unnamedRemovals({ lineId, quantity, currentQuantity }: OrderLine, named: ReadonlyMap<string, number>): number {
  if (currentQuantity === null) return 0;
  return Math.max(0, addQuantities(quantity, -(named.get(lineId) ?? 0), -Math.max(0, currentQuantity)));
}

/** Returns the refunded units of each line, by line id. */
function namedUnits(refunds: readonly RefundFact[]): ReadonlyMap<string, number> {
  const units = new Map<string, number>();
  for (const { lineId, quantity } of refunds.flatMap((refund) => refund.lines))
    units.set(lineId, addQuantities(units.get(lineId) ?? 0, quantity));
  return units;
}

function closed(open: OpenLine, unnamed: number): LineRemains {
  const quantity = Math.max(0, open.line.quantity);
  const kept = Math.max(0, addQuantities(quantity, -open.refunded));
  const removed = Math.min(unnamed, kept);
  const left = shortened(leftOf(open));
  const ofMoney = open.paid === 0n ? ONE : over(left, fraction(open.paid));
  const net = open.paid - open.tax;
  const isTaxed = open.tax !== 0n && net !== 0n;
  const ofNet = isTaxed ? over(minus(left, shortened(taxLeftOf(open))), fraction(net)) : ofMoney;
  const ofUnits = kept === 0 ? ONE : ofQuantity(addQuantities(kept, -removed), kept);
  return {
    lineId: open.line.lineId,
    quantity,
    keptQuantity: addQuantities(kept, -removed),
    returnedQuantity: open.returned,
    money: times(ofMoney, ofUnits),
    net: times(ofNet, ofUnits),
  };
}
