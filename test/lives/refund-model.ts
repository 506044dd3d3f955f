import { isGoods, type Line, type Order, priceOf, type Refund } from "./order.ts";
import { isBelow, least, minus, most, ONE, over, plus, type Ratio, ratio, sumOf, times, ZERO } from "./ratio.ts";

/** What refunds and removals left of a line. */
export interface LineLeft {
  readonly quantity: Ratio;
  /** Units that were neither refunded nor removed. */
  readonly kept: Ratio;
  /** Units that were shipped and came back. */
  readonly returned: Ratio;
  /** What was paid for it, tax included, and the tax in that. */
  readonly paid: bigint;
  readonly paidTax: bigint;
  /** The part of it that is left, and the part of it without tax. */
  readonly money: Ratio;
  readonly net: Ratio;
}

interface Open {
  readonly line: Line;
  readonly paid: bigint;
  readonly paidTax: bigint;
  left: Ratio;
  taxLeft: Ratio;
  refunded: Ratio;
  returned: Ratio;
}

/**
 * A refund takes the goods money that moved (program.md 4, Refund): of its own lines first, the rest in proportion of what is left of all goods and gift
 * cards. Where no money moved, or it is unknown, its lines count. Lines that were removed from a paid order without money, and money that moves later
 * without lines, are one refund (spec-gaps.md).
 */
export function leftOfLines(order: Order): ReadonlyMap<string, LineLeft> {
  const shared = sharedDiscount(order);
  const opened = order.lines.map((line): Open => {
    const price = priceOf(line) - line.discount - (shared.get(line.id) ?? 0n);
    const paid = (price > 0n ? price : 0n) + (order.taxesIncluded ? 0n : line.tax);
    const paidTax = line.tax < paid ? line.tax : paid;
    return { line, paid, paidTax, left: ratio(paid), taxLeft: ratio(paidTax), refunded: ZERO, returned: ZERO };
  });
  let removed = ZERO;
  for (const refund of order.refunds) {
    const { rest, whole } = takeLines(order, opened, refund);
    const isRemoval = refund.moved === 0n;
    const settled = isRemoval ? ZERO : least(rest, removed);
    removed = minus(removed, settled);
    if (isRemoval && wasPaid(order, refund)) removed = plus(removed, whole);
    takeInProportion(opened, minus(rest, settled));
  }
  return new Map(opened.map((open) => [open.line.id, closed(order, open)]));
}

/** Whether money that moves later may be of this removal: the order was paid by then, or money had moved before it was known as paid. */
function wasPaid({ paidAt, refunds }: Order, { at }: Refund): boolean {
  if (paidAt === null) return false;
  const by = (one: Temporal.Instant) => Temporal.Instant.compare(one, paidAt) <= 0;
  return Temporal.Instant.compare(paidAt, at) <= 0 || refunds.some((one) => (one.moved ?? 0n) > 0n && by(one.at));
}

/** Takes a refund's own lines; what of its goods money is left, and what its lines are worth. */
function takeLines(order: Order, opened: readonly Open[], { lines, moved, shipping, shippingTax }: Refund) {
  const named = lines.flatMap((refunded) => {
    const open = opened.find(({ line }) => line.id === refunded.lineId);
    if (open === undefined) return [];
    const stated = refunded.subtotal + (order.taxesIncluded ? 0n : refunded.tax);
    const amount = ratio(stated < open.paid ? stated : open.paid);
    const ofTax = open.paid === 0n ? ZERO : over(times(amount, ratio(open.paidTax)), ratio(open.paid));
    return [{ open, refunded, amount, tax: refunded.tax > 0n && open.paidTax > 0n ? ratio(refunded.tax) : ofTax }];
  });
  const whole = sumOf(named.map(({ amount }) => amount));
  const goods = moved === null || moved === 0n ? whole : most(ZERO, ratio(moved - shipping - shippingTax));
  const part = whole.num === 0n ? ONE : least(ONE, over(goods, whole));
  let taken = ZERO;
  for (const { open, refunded, amount, tax } of named) {
    const money = least(open.left, times(amount, part));
    taken = plus(taken, money);
    open.left = minus(open.left, money);
    const ofTax = money.num === 0n ? ZERO : times(tax, part);
    open.taxLeft = least(open.left, most(ZERO, minus(open.taxLeft, ofTax)));
    const units = most(ZERO, least(refunded.units, minus(open.line.quantity, open.refunded)));
    open.refunded = plus(open.refunded, units);
    if (refunded.isReturn) open.returned = plus(open.returned, units);
    if (part === ONE || (part.num === 1n && part.den === 1n)) dropCents(open);
  }
  return { rest: most(ZERO, minus(goods, taken)), whole };
}

/** Cents that a platform's rounding leaves on a line of which nothing is kept. */
function dropCents(open: Open): void {
  const { refunded, line, left } = open;
  const units = (refunded.num + refunded.den - 1n) / refunded.den;
  if (isBelow(refunded, line.quantity) || isBelow(ratio(units), left)) return;
  open.left = ZERO;
  open.taxLeft = ZERO;
}

function takeInProportion(opened: readonly Open[], amount: Ratio): void {
  const some = opened.filter(({ line }) => isGoods(line.kind) || line.kind === "gift_card");
  const whole = sumOf(some.map(({ left }) => left));
  if (whole.num === 0n) return;
  const keeps = most(ZERO, minus(ONE, over(amount, whole)));
  for (const open of some) {
    open.left = times(open.left, keeps);
    open.taxLeft = times(open.taxLeft, keeps);
  }
}

function closed(order: Order, { line, paid, paidTax, left, taxLeft, refunded, returned }: Open): LineLeft {
  const stays = most(ZERO, minus(line.quantity, refunded));
  const named = sumOf(
    order.refunds.flatMap(({ lines }) => lines.filter(({ lineId }) => lineId === line.id).map(({ units }) => units)),
  );
  const unnamed = line.current === null ? ZERO : most(ZERO, minus(minus(line.quantity, named), line.current));
  const kept = minus(stays, least(unnamed, stays));
  const units = stays.num === 0n ? ONE : over(kept, stays);
  const money = times(paid === 0n ? ONE : over(left, ratio(paid)), units);
  const hasNet = paidTax > 0n && paid > paidTax;
  const net = hasNet ? times(over(minus(left, taxLeft), ratio(paid - paidTax)), units) : money;
  return { quantity: line.quantity, kept, returned, paid, paidTax, money, net };
}

/** A discount of the order that no line carries, by value, to the smallest unit: largest remainder, then line id. */
function sharedDiscount({ lines, goodsDiscount }: Order): ReadonlyMap<string, bigint> {
  const loose = (goodsDiscount ?? 0n) - lines.reduce((sum, { discount }) => sum + discount, 0n);
  const goods = lines
    .filter(({ kind }) => isGoods(kind))
    .map((line) => ({ id: line.id, value: priceOf(line) - line.discount }));
  const valued = goods.filter(({ value }) => value > 0n);
  const whole = valued.reduce((sum, { value }) => sum + value, 0n);
  if (loose <= 0n || whole === 0n) return new Map();
  const shared = loose < whole ? loose : whole;
  const parts = valued.map(({ id, value }) => ({
    id,
    share: (shared * value) / whole,
    rest: (shared * value) % whole,
  }));
  const left = shared - parts.reduce((sum, { share }) => sum + share, 0n);
  const first = parts.toSorted((a, b) => (a.rest === b.rest ? (a.id < b.id ? -1 : 1) : a.rest < b.rest ? 1 : -1));
  return new Map(first.map(({ id, share }, n) => [id, share + (BigInt(n) < left ? 1n : 0n)]));
}
