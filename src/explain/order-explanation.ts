import type { StoredFacts } from "../orders/facts/order-facts.ts";
import { remainsOf } from "../orders/facts/refund-base.ts";
import { keysOf, type OrderRemainder, type Shipment, shipmentsOf, shippedPart } from "../orders/plan/award-split.ts";
import { minus } from "../orders/plan/fraction.ts";
import { isRefundCause, refundKeys, shipmentKeys } from "../orders/plan/order-keys.ts";
import type { OrderRules } from "../orders/plan/order-rules.ts";
import {
  addPoints,
  type ExactPoints,
  earningLines,
  NO_POINTS,
  partOfPoints,
  roundPoints,
} from "../orders/plan/order-target.ts";
import { awardRows, requestedTotal } from "../orders/plan/planned-posting.ts";
import { type LineBreakdown, orderBreakdown } from "../orders/preview/preview-breakdown.ts";
import type { RefundFact } from "../platforms/neutral-events.ts";
import { addQuantities } from "../platforms/quantity.ts";
import type { PostedCause } from "./order-queries.ts";

/** What led from one rounded sum of the shipped lines to the next; the difference was requested from the ledger. */
export interface Step {
  readonly kind: "award" | "refund" | "cancellation" | "correction";
  /** For an award. */
  readonly shipment: Shipment | null;
  readonly isTax: boolean;
  /** For a refund. */
  readonly refund: RefundFact | null;
  /** Points before rounding, before and after the step; for a correction the earlier ones are not known, and 0. */
  readonly exactBefore: ExactPoints;
  readonly exactAfter: ExactPoints;
  readonly before: bigint;
  readonly after: bigint;
}

/** One posting of an order, recomputed from stored data. */
export interface OrderExplanation {
  readonly row: PostedCause;
  readonly lines: readonly LineBreakdown[];
  readonly step: Step;
  /** Whether the stored facts give the points that were requested then; false if an edit has changed the order since. */
  readonly isReproduced: boolean;
}

interface OrderInput {
  readonly facts: StoredFacts;
  readonly rules: OrderRules;
  /** All postings of the order. */
  readonly posted: readonly PostedCause[];
}

/** The same with the postings by cause: an order may have thousands of lines, shipments, refunds and postings, so none is compared with all others. */
interface IndexedInput extends OrderInput {
  readonly byCause: ReadonlyMap<string, readonly PostedCause[]>;
}

/**
 * Returns how a posting of an order came to its points (program.md 4). It uses the functions that planned it, on the refunds and shipments counted by
 * then. The postings' times show which those were; a posting that took nothing has no time, so the refund's own time is used.
 */
export function orderExplanation(order: OrderInput, row: PostedCause): OrderExplanation {
  const input = { ...order, byCause: Map.groupBy(order.posted, ({ cause }) => cause) };
  const candidates = [knownRefunds(input, row), [], input.facts.refunds];
  const accounts = candidates.map((refunds) => accountWith(input, row, refunds));
  const best = accounts.find(({ isReproduced }) => isReproduced) ?? accounts[0];
  if (best === undefined) throw new Error("a posting has an explanation");
  return best;
}

function accountWith(input: IndexedInput, row: PostedCause, refunds: readonly RefundFact[]): OrderExplanation {
  const facts = factsThen(input, row);
  const own = shipmentsOf(facts, input.rules).find((shipment) => keysOf(shipment).includes(row.cause));
  const then: Then = { row, facts, refunds };
  const step = own === undefined ? takeBackStep(input, then) : awardStep(input, then, own);
  const lines = orderBreakdown(facts, input.rules, refunds);
  return { row, lines, step, isReproduced: step.after - step.before === row.requested };
}

/** What had been counted when a row was posted. */
interface Then {
  readonly row: PostedCause;
  /** With all refunds: they determine which units of a line a later body no longer counts. */
  readonly facts: StoredFacts;
  readonly refunds: readonly RefundFact[];
}

function awardStep(input: IndexedInput, then: Then, own: Shipment): Step {
  const standing = standingOf(then.facts, input.rules, then.refunds);
  const earlier = countedShipments(input, then, own);
  const isTax = own.taxKey === then.row.cause || own.formerKeys?.[1] === then.row.cause;
  const base = shippedPoints(earlier, standing);
  const whole = shippedPoints([...earlier, own], standing);
  const goods = addPoints(base, ownGoods(earlier, own, standing));
  const [exactBefore, exactAfter] = isTax ? [goods, whole] : [base, goods];
  const rounded = { before: roundPoints(exactBefore, input.rules), after: roundPoints(exactAfter, input.rules) };
  return { kind: "award", shipment: own, isTax, refund: null, exactBefore, exactAfter, ...rounded };
}

function takeBackStep(input: IndexedInput, then: Then): Step {
  const { rules } = input;
  const { row, facts } = then;
  const refund = facts.refunds.find((one) => isRefundCause(row.cause, facts.orderId, one)) ?? null;
  const isCancellation = row.cause === `cancel/${facts.orderId}`;
  if (refund === null && !isCancellation) return correctionStep(input, then);
  const others = then.refunds.filter((one) => one !== refund);
  const counting = new Set(refund === null ? others : [...others, refund]);
  const withIt = facts.refunds.filter((one) => counting.has(one)); // in their own order
  const after = isCancellation ? { ...facts, cancelledAt: input.facts.cancelledAt } : facts;
  const counted = countedShipments(input, then, null);
  const exactBefore = shippedPoints(counted, standingOf(facts, rules, others));
  const exactAfter = shippedPoints(counted, standingOf(after, rules, withIt));
  const rounded = { before: roundPoints(exactBefore, rules), after: roundPoints(exactAfter, rules) };
  const kind = refund === null ? "cancellation" : "refund";
  return { kind, shipment: null, isTax: false, refund, exactBefore, exactAfter, ...rounded };
}

/** Returns the step of a change of the facts: an edit or a cancelled shipment. What had been requested by then is the state before it. */
function correctionStep(input: IndexedInput, then: Then): Step {
  const { rules, posted, facts: now } = input;
  const before = requestedTotal(awardRows(posted.filter((other) => isBefore(other, then.row))));
  const steps = [{ ...now, cancelledAt: null }, then.facts].map((facts): Step => {
    const counted = countedShipments(input, { ...then, facts }, null);
    const exactAfter = shippedPoints(counted, standingOf(facts, rules, then.refunds));
    const after = roundPoints(exactAfter, rules);
    const others = { shipment: null, isTax: false, refund: null };
    return { kind: "correction", ...others, exactBefore: NO_POINTS, exactAfter, before, after };
  });
  const [step] = [...steps.filter(({ after }) => after - before === then.row.requested), ...steps];
  if (step === undefined) throw new Error("two were made");
  return step;
}

function standingOf(facts: StoredFacts, rules: OrderRules, refunds: readonly RefundFact[]): OrderRemainder {
  const remains = remainsOf(facts, refunds);
  return { remains, lines: earningLines(facts, rules, remains) };
}

/** Returns the facts as they were counted then: not cancelled yet, and with shipments that were cancelled only later. */
function factsThen({ facts, posted }: OrderInput, row: PostedCause): StoredFacts {
  const awarded = new Set(posted.filter((other) => isBefore(other, row) || other === row).map(({ cause }) => cause));
  const fulfillments = facts.fulfillments.map((one) => {
    const counted = one.lines.some(({ lineId }) => {
      const { goodsKey, taxKey, formerKeys } = shipmentKeys(facts.orderId, one.fulfillmentId, lineId);
      return [goodsKey, taxKey, ...formerKeys].some((key) => awarded.has(key));
    });
    return counted && one.status === "cancelled" ? { ...one, status: "success" as const } : one;
  });
  return { ...facts, fulfillments, cancelledAt: null };
}

function knownRefunds({ facts, byCause }: IndexedInput, row: PostedCause): readonly RefundFact[] {
  return facts.refunds.filter((refund) => {
    const [counted] = refundKeys(facts.orderId, refund).flatMap((key) => byCause.get(key) ?? []);
    if (counted === row) return true;
    if (counted === undefined) return false;
    if (counted.allottedAt !== null) return isBefore(counted, row);
    return row.allottedAt !== null && Temporal.Instant.compare(refund.createdAt, row.allottedAt) <= 0;
  });
}

/** Returns shipments that had already been awarded. A posting of nothing has no time; its shipment is included if it comes before `own`. */
function countedShipments(
  { rules, byCause }: IndexedInput,
  { row, facts }: Then,
  own: Shipment | null,
): readonly Shipment[] {
  const shipments = shipmentsOf(facts, rules);
  const ownIndex = own === null ? shipments.length : shipments.findIndex(({ goodsKey }) => goodsKey === own.goodsKey);
  return shipments.filter((shipment, index) => {
    if (index === ownIndex) return false;
    const rows = keysOf(shipment).flatMap((key) => byCause.get(key) ?? []);
    return rows.some((other) => (other.allottedAt === null ? index < ownIndex : isBefore(other, row)));
  });
}

function isBefore(a: PostedCause, b: PostedCause): boolean {
  if (a.allottedAt === null || b.allottedAt === null) return false;
  return Temporal.Instant.compare(a.allottedAt, b.allottedAt) < 0;
}

/** Returns what all of these shipments earn, before rounding. */
function shippedPoints(shipments: readonly Shipment[], standing: OrderRemainder): ExactPoints {
  const byLine = Map.groupBy(shipments, ({ lineId }) => lineId);
  return standing.lines.reduce((total, line) => {
    const remains = standing.remains.get(line.lineId);
    if (remains === undefined) return total;
    const part = shippedPart(remains, unitsOf(byLine.get(line.lineId) ?? []));
    return addPoints(total, addPoints(partOfPoints(line.goods, part), partOfPoints(line.tax, part)));
  }, NO_POINTS);
}

function ownGoods(earlier: readonly Shipment[], own: Shipment, standing: OrderRemainder): ExactPoints {
  const line = standing.lines.find(({ lineId }) => lineId === own.lineId);
  const remains = standing.remains.get(own.lineId);
  if (line === undefined || remains === undefined) return NO_POINTS;
  const before = unitsOf(earlier.filter(({ lineId }) => lineId === own.lineId));
  return partOfPoints(
    line.goods,
    minus(shippedPart(remains, addQuantities(before, own.units)), shippedPart(remains, before)),
  );
}

function unitsOf(shipments: readonly Shipment[]): number {
  return addQuantities(...shipments.map(({ units }) => units));
}
