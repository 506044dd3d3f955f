import type { FulfillmentFact } from "../../platforms/neutral-events.ts";
import { addQuantities } from "../../platforms/quantity.ts";
import { addDays } from "../../time/store-time.ts";
import type { StoredFacts } from "../facts/order-facts.ts";
import type { LineRemains } from "../facts/refund-base.ts";
import { deliveredByStatus, deliveredOnPayment, type UnnamedDelivery } from "../facts/unnamed-deliveries.ts";
import { type Fraction, minus, ONE, ofQuantity, ZERO } from "./fraction.ts";
import { lineKeys, shipmentKeys } from "./order-keys.ts";
import type { OrderRules } from "./order-rules.ts";
import { addPoints, type EarningLine, type ExactPoints, NO_POINTS, partOfPoints, roundPoints } from "./order-target.ts";

/** One line of one shipment, or of the order if the store awards on payment: the source of one allotment. */
export interface Shipment {
  readonly lineId: string;
  /** null: no fulfilment names it, because the store awards on payment or only the order's status says that it is fulfilled. */
  readonly fulfillmentId: string | null;
  readonly units: number;
  /** When it may be awarded: the credit time plus the pending period. */
  readonly dueAt: Temporal.Instant;
  /** Natural keys (program.md 3) of its goods and of its separately awarded tax. */
  readonly goodsKey: string;
  readonly taxKey: string;
  /** The keys under which an earlier version may have posted it, goods first; absent: the keys have not changed. */
  readonly formerKeys?: readonly string[];
}

/** The points of one shipment, by cumulative rounding after the earlier ones. */
export interface Share {
  readonly shipment: Shipment;
  readonly goods: bigint;
  readonly tax: bigint;
}

/** What refunds left of an order, and what that earns. */
export interface OrderRemainder {
  readonly lines: readonly EarningLine[];
  readonly remains: ReadonlyMap<string, LineRemains>;
}

/**
 * Returns everything of a paid order that is awarded now or later (program.md 4, When): by creation of the fulfilments, then by line. Only successful
 * fulfilments have shipped. Empty while the order is not paid.
 */
export function shipmentsOf(facts: StoredFacts, rules: OrderRules): readonly Shipment[] {
  const { paidAt } = facts;
  const lines = facts.stated.lines ?? [];
  if (paidAt === null) return [];
  if (rules.awardOn === "paid") {
    const dueAt = withPending(paidAt, rules);
    return lines.map(({ lineId, quantity }) => {
      return { lineId, fulfillmentId: null, units: quantity, dueAt, ...lineKeys("paid", facts.orderId, lineId) };
    });
  }
  const shipped = facts.fulfillments.filter(({ status }) => status === "success");
  const named = shipped.flatMap((fulfillment) => {
    const dueAt = withPending(later(paidAt, fulfillment.createdAt), rules);
    return [...unitsByLine(fulfillment)].map(([lineId, units]) => {
      const { fulfillmentId } = fulfillment;
      return { lineId, fulfillmentId, units, dueAt, ...shipmentKeys(facts.orderId, fulfillmentId, lineId) };
    });
  });
  const [onPayment, byStatus] = [deliveredOnPayment(facts), deliveredByStatus(facts)];
  return [...unnamedShipments(onPayment, facts, rules), ...named, ...unnamedShipments(byStatus, facts, rules)];
}

/** Returns the shipments of units that no fulfilment names, under keys of the order itself. */
function unnamedShipments(
  delivery: UnnamedDelivery | null,
  facts: StoredFacts,
  rules: OrderRules,
): readonly Shipment[] {
  if (delivery === null) return [];
  const dueAt = withPending(later(facts.paidAt ?? delivery.at, delivery.at), rules);
  return [...delivery.units].map(([lineId, units]) => {
    return { lineId, fulfillmentId: null, units, dueAt, ...lineKeys(delivery.kind, facts.orderId, lineId) };
  });
}

/** Returns every key that a row of the shipment may have. */
export function keysOf({ goodsKey, taxKey, formerKeys = [] }: Shipment): readonly string[] {
  return [goodsKey, taxKey, ...formerKeys];
}

/** Returns the units of each line that one fulfilment shipped, by line id. */
export function unitsByLine(fulfillment: FulfillmentFact): ReadonlyMap<string, number> {
  const units = new Map<string, number>();
  for (const { lineId, quantity } of fulfillment.lines) {
    units.set(lineId, addQuantities(units.get(lineId) ?? 0, Math.max(0, quantity)));
  }
  return units;
}

/** Whether a shipment may be awarded. Without a pending period it is awarded at once, even if the platform's clock is ahead of ours. */
export function isAwardDue(shipment: Shipment, rules: OrderRules, now: Temporal.Instant): boolean {
  return rules.pendingDays === 0 || Temporal.Instant.compare(shipment.dueAt, now) <= 0;
}

/**
 * Returns the shares of shipments in the given order. Each share is R of everything shipped so far, less the earlier shares. So the shares
 * of the same shipments in any order have the same sum, and those of all shipments sum to the order's target.
 */
export function splitAward(
  shipments: readonly Shipment[],
  remainder: OrderRemainder,
  rules: OrderRules,
): readonly Share[] {
  const lines = new Map(remainder.lines.toReversed().map((line) => [line.lineId, line]));
  const shippedUnits = new Map<string, number>();
  let total = NO_POINTS;
  let points = 0n;
  const award = (more: ExactPoints): bigint => {
    total = addPoints(total, more);
    const before = points;
    points = roundPoints(total, rules);
    return points - before;
  };
  return shipments.map((shipment) => {
    const line = lines.get(shipment.lineId);
    const remains = remainder.remains.get(shipment.lineId);
    if (line === undefined || remains === undefined) return { shipment, goods: 0n, tax: 0n };
    const before = shippedUnits.get(line.lineId) ?? 0;
    const after = addQuantities(before, shipment.units);
    shippedUnits.set(line.lineId, after);
    const part = minus(shippedPart(remains, after), shippedPart(remains, before));
    return { shipment, goods: award(partOfPoints(line.goods, part)), tax: award(partOfPoints(line.tax, part)) };
  });
}

export function sharesTotal(shares: readonly Share[]): bigint {
  return shares.reduce((total, { goods, tax }) => total + goods + tax, 0n);
}

/**
 * Returns the part of a line's remaining earnings that is shipped, 0 to 1: units shipped and not returned, divided by the units kept. A unit that was
 * refunded without a return counts as one that will not ship. If no unit is kept but money is, the units count as ordered.
 */
export function shippedPart(remains: LineRemains, units: number): Fraction {
  const { quantity, keptQuantity, returnedQuantity } = remains;
  const of = keptQuantity > 0 ? keptQuantity : quantity;
  if (of <= 0) return units > 0 ? ONE : ZERO;
  const shipped = keptQuantity > 0 ? addQuantities(units, -returnedQuantity) : units;
  return ofQuantity(Math.min(Math.max(0, shipped), of), of);
}

function withPending(creditedAt: Temporal.Instant, { pendingDays, timeZone }: OrderRules): Temporal.Instant {
  return pendingDays === 0 ? creditedAt : addDays(creditedAt, pendingDays, timeZone);
}

function later(a: Temporal.Instant, b: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(a, b) >= 0 ? a : b;
}
