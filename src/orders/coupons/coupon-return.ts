import type { OrderLine } from "../../platforms/neutral-events.ts";
import { addQuantities, grossOf } from "../../platforms/quantity.ts";
import { isOrderOver, type StoredFacts } from "../facts/order-facts.ts";
import type { LineRemains } from "../facts/refund-base.ts";
import {
  compare,
  type Fraction,
  fraction,
  greatest,
  minus,
  ONE,
  ofQuantity,
  over,
  round,
  sum,
  times,
  ZERO,
} from "../plan/fraction.ts";
import type { OrderRules } from "../plan/order-rules.ts";

/** A coupon of this service that the order used. */
export interface UsedCoupon {
  readonly uid: string;
  /** In any case. */
  readonly code: string;
  /** Its cost in points, above 0. */
  readonly points: bigint;
  /** Its value in minor units of the store's currency. */
  readonly currencyValue: bigint;
}

/**
 * Returns how many of a coupon's points are returned in the order's present state (program.md 4): floor(points x refunded allocation / whole
 * allocation), cumulative, and everything that can be returned once the order is over.
 *
 * The whole allocation is the coupon's value: if the order took less than that from its prices, because its subtotal was smaller, the points of the
 * difference are spent and never returned, whatever is refunded. A line's allocation counts as refunded by the larger of its refunded units and its
 * refunded money, so that free lines count as well as amounts.
 */
export function returnedPoints(
  coupon: UsedCoupon,
  facts: StoredFacts,
  rules: OrderRules,
  remains: ReadonlyMap<string, LineRemains>,
): bigint {
  const allocations = allocationsOf(coupon, facts);
  const allocated = sum(allocations.map(({ amount }) => amount));
  const whole = greatest(allocated, worthOf(coupon, facts, rules));
  if (compare(whole, ZERO) <= 0) return isOrderOver(facts) ? coupon.points : 0n;
  const part = isOrderOver(facts) ? ONE : refundedPart(allocations, rules, remains);
  const refunded = part === ONE ? allocated : times(allocated, part);
  return round(over(times(fraction(coupon.points), refunded), whole), "down");
}

interface Allocation {
  readonly line: OrderLine;
  readonly amount: Fraction;
}

/** Returns the refunded part of the coupon's discount, 0 to 1. */
function refundedPart(
  allocations: readonly Allocation[],
  rules: OrderRules,
  remains: ReadonlyMap<string, LineRemains>,
): Fraction {
  const allocated = sum(allocations.map(({ amount }) => amount));
  if (compare(allocated, ZERO) === 0) return ZERO;
  const refunded = sum(allocations.map(({ line, amount }) => times(amount, refundedPartOf(remains.get(line.lineId)))));
  const part = over(refunded, allocated);
  return rules.reimburseCouponsOnPartial || compare(part, ONE) === 0 ? part : ZERO;
}

function refundedPartOf(line: LineRemains | undefined): Fraction {
  if (line === undefined || line.quantity === 0) return ZERO;
  const ofUnits = ofQuantity(addQuantities(line.quantity, -line.keptQuantity), line.quantity);
  return greatest(ofUnits, minus(ONE, line.money));
}

/** Returns the code's discount on each line; if lines do not state it, its amount in proportion to the prices of the goods. */
function allocationsOf(coupon: UsedCoupon, facts: StoredFacts): readonly Allocation[] {
  const code = coupon.code.toLowerCase();
  const lines = facts.stated.lines ?? [];
  const stated = lines.map((line) => ({ line, amount: fraction(allocatedTo(line, code)) }));
  if (stated.some(({ amount }) => amount.num > 0n)) return stated;
  const use = facts.codes.find((other) => other.code === code);
  const amount = fraction(use?.amount?.minor ?? coupon.currencyValue);
  const goods = lines.filter(({ kind }) => kind === "product" || kind === "custom");
  const total = goods.reduce((prices, line) => prices + grossOf(line), 0n);
  if (total <= 0n) return [];
  return goods.map((line) => ({ line, amount: times(amount, fraction(grossOf(line), total)) }));
}

function allocatedTo(line: OrderLine, code: string): bigint {
  const own = line.discounts.filter((discount) => discount.code?.toLowerCase() === code);
  return own.reduce((total, discount) => total + discount.amount.minor, 0n);
}

/** Returns the coupon's value; 0 if the order's money cannot be compared with the coupon's. */
function worthOf(coupon: UsedCoupon, facts: StoredFacts, rules: OrderRules): Fraction {
  const currency = facts.stated.shopCurrency ?? rules.currency;
  return currency === rules.currency ? fraction(coupon.currencyValue) : ZERO;
}
