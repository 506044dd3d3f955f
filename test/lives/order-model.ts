import { type Coupon, isGoods, type Line, type Order, priceOf, type Shipment } from "./order.ts";
import { COLLECTIONS, isBefore, type Program, type Rate, TIME_ZONE } from "./program-model.ts";
import {
  isBelow,
  least,
  minus,
  most,
  ONE,
  over,
  plus,
  type Ratio,
  ratio,
  rounded,
  sumOf,
  times,
  ZERO,
} from "./ratio.ts";
import { type LineLeft, leftOfLines } from "./refund-model.ts";

/** What one order awards, counts toward tiers and returns of its coupon, from its facts alone (program.md 4 and 6). */

/** The rules of its processed time. */
export interface Rules {
  readonly program: Program;
  readonly rate: Rate;
  readonly isStaff: boolean;
}

/** One line of one delivery, in the order in which they are counted. */
export interface Delivery {
  readonly name: string;
  readonly lineId: string;
  readonly units: Ratio;
  readonly dueAt: Temporal.Instant;
}

interface Exact {
  readonly byRate: Ratio;
  readonly byBonus: Ratio;
}

interface Earning {
  readonly goods: Exact;
  /** 0 unless it is awarded apart. */
  readonly tax: Exact;
}

/** All deliveries of a paid order: those of payment, of its shipments, of its status. */
export function deliveriesOf(order: Order, { program }: Rules): readonly Delivery[] {
  const { paidAt } = order;
  if (paidAt === null) return [];
  const deliveries: Delivery[] = [];
  const deliver = (name: string, lineId: string, units: Ratio, at: Temporal.Instant) => {
    const from = isBefore(paidAt, at) ? at : paidAt;
    const dueAt = from.toZonedDateTimeISO(TIME_ZONE).add({ days: program.pendingDays }).toInstant();
    deliveries.push({ name: `${name}/${lineId}`, lineId, units, dueAt });
  };
  for (const { id, quantity, isDownload } of order.lines) {
    if (program.awardOn === "paid" || isDownload) deliver("paid", id, quantity, paidAt);
  }
  if (program.awardOn === "paid") return deliveries;
  for (const shipment of order.shipments) {
    if (shipment.cancelledAt !== null) continue;
    for (const [lineId, units] of shipment.units) deliver(shipment.id, lineId, units, shipment.at);
  }
  const { fulfilledAt, statusSince } = order;
  if (fulfilledAt === null || statusSince === null) return deliveries;
  for (const { id, quantity, isDownload } of order.lines) {
    const units = minus(quantity, calledBack(order, id, statusSince));
    if (!isDownload && isBelow(ZERO, units)) deliver("fulfilled", id, units, fulfilledAt);
  }
  return deliveries;
}

/** Units of shipments that were cancelled after the status said that all is shipped; those of other shipments are not counted twice. */
function calledBack({ shipments }: Order, lineId: string, since: Temporal.Instant): Ratio {
  const unitsOf = (some: readonly Shipment[]) => sumOf(some.map(({ units }) => units.get(lineId) ?? ZERO));
  const cancelled = shipments.filter(({ cancelledAt }) => cancelledAt !== null && isBefore(since, cancelledAt));
  if (cancelled.length === 0) return ZERO;
  return plus(unitsOf(cancelled), unitsOf(shipments.filter(({ cancelledAt }) => cancelledAt === null)));
}

/** `awardable_points`: all that the order can award as it stands. */
export function target(order: Order, rules: Rules): bigint {
  const all = [...earnings(order, rules).values()].flatMap(({ goods, tax }) => [goods, tax]);
  return roundedPoints(all, rules);
}

export interface Share {
  readonly delivery: Delivery;
  /** Whether its line earns at all. */
  readonly earns: boolean;
  readonly goods: bigint;
  readonly tax: bigint;
}

/** The shares of deliveries in this order: each is what is rounded of all so far, less the earlier ones. */
export function shares(order: Order, rules: Rules, deliveries: readonly Delivery[]): readonly Share[] {
  const earning = earnings(order, rules);
  const left = leftOfLines(order);
  const delivered = new Map<string, Ratio>();
  const counted: Exact[] = [];
  let before = 0n;
  const next = (more: Exact): bigint => {
    counted.push(more);
    const points = roundedPoints(counted, rules);
    const share = points - before;
    before = points;
    return share;
  };
  return deliveries.map((delivery) => {
    const { lineId, units } = delivery;
    const line = left.get(lineId);
    const earns = earning.get(lineId);
    if (line === undefined || earns === undefined) return { delivery, earns: false, goods: 0n, tax: 0n };
    const [from, to] = [delivered.get(lineId) ?? ZERO, plus(delivered.get(lineId) ?? ZERO, most(units, ZERO))];
    delivered.set(lineId, to);
    const part = minus(deliveredPart(line, to), deliveredPart(line, from));
    return { delivery, earns: true, goods: next(scaled(earns.goods, part)), tax: next(scaled(earns.tax, part)) };
  });
}

/** Of the units that are kept; a unit that came back was delivered. Where money is left though no unit is, of the ordered ones. */
function deliveredPart({ quantity, kept, returned }: LineLeft, units: Ratio): Ratio {
  if (isBelow(ZERO, kept)) return over(least(most(minus(units, returned), ZERO), kept), kept);
  return isBelow(ZERO, quantity) ? over(least(units, quantity), quantity) : ONE;
}

/** Money toward tiers, and from when; null: none. */
export function spend(order: Order, rules: Rules): { readonly minor: bigint; readonly at: Temporal.Instant } | null {
  const { paidAt } = order;
  const left = leftOfLines(order);
  const goods = order.lines.filter(({ kind }) => isGoods(kind));
  const parts = earnsNothing(order, rules) ? [] : goods.map((line) => baseOf(order, rules, line, left));
  const minor = rounded(sumOf(parts.flatMap((part) => [part.goods, part.tax])), "half_up");
  if (minor === 0n) return null;
  const { spendAt } = rules.program;
  if (spendAt === "processed") return order.isVoided ? null : { minor, at: order.processedAt };
  if (paidAt === null) return null;
  if (spendAt === "paid") return { minor, at: paidAt };
  const at = lastDelivery(order, rules, goods, left);
  if (at === null) return null;
  return { minor, at: isBefore(paidAt, at) ? at : paidAt };
}

/** When the last of the goods that are delivered at all was; null: some are still to come. */
function lastDelivery(order: Order, rules: Rules, goods: readonly Line[], left: ReadonlyMap<string, LineLeft>) {
  const all = deliveriesOf(order, {
    ...rules,
    program: { ...rules.program, pendingDays: 0, awardOn: "paid_and_fulfilled" },
  });
  let last: Temporal.Instant | null = null;
  for (const { id } of goods) {
    const { quantity, kept, returned } = left.get(id) ?? { quantity: ZERO, kept: ZERO, returned: ZERO };
    const own = all
      .filter(({ lineId }) => lineId === id)
      .toSorted((a, b) => Temporal.Instant.compare(a.dueAt, b.dueAt));
    const units = sumOf(own.map((delivery) => most(delivery.units, ZERO)));
    if (isBelow(units, plus(kept, returned))) return null;
    let missing = least(quantity, units);
    for (const { units: some, dueAt } of own) {
      if (!isBelow(ZERO, missing)) break;
      missing = minus(missing, most(some, ZERO));
      if (!isBelow(ZERO, missing) && (last === null || isBefore(last, dueAt))) last = dueAt;
    }
  }
  return last;
}

/** Points of a coupon that have come back: floor(points x refunded allocation / whole allocation). */
export function couponBack(order: Order, { program }: Rules, coupon: Coupon): bigint {
  const left = leftOfLines(order);
  const isOver = order.isCancelled || (order.isVoided && order.paidAt === null);
  const allocated = allocations(order, coupon);
  const total = sumOf(allocated.map(({ amount }) => amount));
  const whole = order.isForeign ? total : most(total, ratio(coupon.worth));
  if (whole.num === 0n) return isOver ? coupon.points : 0n;
  const back = sumOf(
    allocated.map(({ line, amount }) => {
      const { quantity, kept, money } = left.get(line.id) ?? { quantity: ONE, kept: ONE, money: ONE };
      const ofUnits = quantity.num === 0n ? ZERO : minus(ONE, over(kept, quantity));
      return quantity.num === 0n ? ZERO : times(amount, most(ofUnits, minus(ONE, money)));
    }),
  );
  const counts = isOver ? total : program.reimbursesParts || !isBelow(back, total) ? back : ZERO;
  return rounded(over(times(ratio(coupon.points), counts), whole), "down");
}

function allocations({ lines }: Order, coupon: Coupon): readonly { readonly line: Line; readonly amount: Ratio }[] {
  if (lines.some(({ ofCoupon }) => ofCoupon > 0n)) return lines.map((line) => ({ line, amount: ratio(line.ofCoupon) }));
  const goods = lines.filter(({ kind }) => isGoods(kind));
  const total = goods.reduce((sum, line) => sum + priceOf(line), 0n);
  if (total === 0n) return [];
  return goods.map((line) => ({ line, amount: ratio(coupon.amount * priceOf(line), total) }));
}

/** What the lines earn with what refunds left of them, before rounding. */
function earnings(order: Order, rules: Rules): ReadonlyMap<string, Earning> {
  if (earnsNothing(order, rules)) return new Map();
  const left = leftOfLines(order);
  const lines = order.lines.filter(({ kind, product }) => isGoods(kind) && product?.isExcluded !== true);
  return new Map(
    lines.map((line) => {
      const base = baseOf(order, rules, line, left);
      const bonus = bonusOf(line, rules.program);
      const exact = (money: Ratio): Exact => ({ byRate: atRate(money, rules.rate), byBonus: atRate(money, bonus) });
      return [line.id, { goods: exact(base.goods), tax: exact(base.tax) }];
    }),
  );
}

function earnsNothing({ isTest, isCancelled, isForeign }: Order, { program, isStaff }: Rules): boolean {
  return isTest || isCancelled || isForeign || (program.excludesStaff && isStaff);
}

/** A line's money that earns: with its tax, without it, or with the tax apart. */
function baseOf(order: Order, { program }: Rules, line: Line, left: ReadonlyMap<string, LineLeft>) {
  const { paid, paidTax, money, net } = left.get(line.id) ?? { paid: 0n, paidTax: 0n, money: ZERO, net: ZERO };
  const whole = times(ratio(paid), money);
  const untaxed = times(ratio(paid - paidTax), net);
  if (!program.includeTax) return { goods: untaxed, tax: ZERO };
  if (order.taxesIncluded || !program.separateTax) return { goods: whole, tax: ZERO };
  return { goods: untaxed, tax: minus(whole, untaxed) };
}

function bonusOf({ product }: Line, { bonuses }: Program): Rate | null {
  const own = COLLECTIONS.flatMap((_, n) => (product?.collections[n] === true ? (bonuses[n] ?? []) : []));
  return own.reduce<Rate | null>((best, rate) => {
    return best === null || best.points * rate.minor < rate.points * best.minor ? rate : best;
  }, null);
}

function atRate(money: Ratio, rate: Rate | null): Ratio {
  return rate === null ? ZERO : times(money, ratio(rate.points, rate.minor));
}

function scaled({ byRate, byBonus }: Exact, part: Ratio): Exact {
  return { byRate: times(byRate, part), byBonus: times(byBonus, part) };
}

function roundedPoints(all: readonly Exact[], { program: { rounding } }: Rules): bigint {
  const [byRate, byBonus] = [sumOf(all.map((one) => one.byRate)), sumOf(all.map((one) => one.byBonus))];
  return rounded(byRate, rounding) + rounded(byBonus, rounding);
}
