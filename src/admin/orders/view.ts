import { type LinePoints, linePoints } from "../../explain/line-points.ts";
import type { OrderPosting } from "../../explain/order-queries.ts";
import type { StoredFacts } from "../../orders/facts/order-facts.ts";
import { productOf } from "../../orders/plan/earning-draft.ts";
import { plus } from "../../orders/plan/fraction.ts";
import type { OrderRules } from "../../orders/plan/order-rules.ts";
import { addPoints } from "../../orders/plan/order-target.ts";
import { fractionText, type LineBreakdown, orderBreakdown } from "../../orders/preview/preview-breakdown.ts";
import type { Money } from "../../platforms/neutral-events.ts";
import { collectionName } from "../../program/collection-name.ts";
import type { Program, Rate } from "../../program/program.ts";
import { formatInstant } from "../../time/store-time.ts";
import { viewCustomer } from "../named-customer.ts";
import { viewListedOrder } from "./list-view.ts";
import type { FoundOrder } from "./read-order-page.ts";
import type { OrderDetail } from "./schema.ts";

export function viewOrder(order: FoundOrder): OrderDetail {
  const { kept, posted } = order;
  const { facts, rules } = kept;
  const { total: _, ...listed } = viewListedOrder({ ...kept, total: null }, order.isStandIn);
  return {
    ...listed,
    ...viewStated(facts),
    platform: kept.platform,
    received_at: formatInstant(kept.receivedAt),
    due_at: timeOrNull(kept.dueAt),
    forgiven_points: Number(kept.forgivenPoints),
    owed_points: owedPoints(posted),
    set_off_points: setOffPoints(posted),
    rules: rules === null ? null : viewRules(rules, order.programs),
    lines: rules === null ? [] : viewLines(facts, rules, posted),
    ...viewHappened(order),
  };
}

function viewStated({ stated, paidAt, cancelledAt, cancelReason }: StoredFacts) {
  return {
    total: moneyOrNull(stated.total),
    subtotal: moneyOrNull(stated.subtotal),
    discount_total: moneyOrNull(stated.discountTotal),
    shipping_total: moneyOrNull(stated.shippingTotal),
    tax_total: moneyOrNull(stated.taxTotal),
    paid_at: timeOrNull(paidAt),
    cancelled_at: timeOrNull(cancelledAt),
    cancel_reason: cancelReason,
    financial_status: stated.financialStatus ?? null,
    fulfillment_status: stated.fulfillmentStatus ?? null,
    channel: stated.channel ?? null,
  };
}

/** The points by which awards were reduced, to set off points that could not be taken back before. */
function setOffPoints(posted: readonly OrderPosting[]): number {
  const setOff = posted.filter(({ result }) => result === "set_off");
  return Number(setOff.reduce((total, { taken, requested }) => total + requested - taken, 0n));
}

/** The points that could not be taken back, and are taken from later points. */
function owedPoints(posted: readonly OrderPosting[]): number {
  const owed = posted.filter(({ result }) => result === "owed");
  return Number(owed.reduce((total, { taken, requested }) => total + taken - requested, 0n));
}

function viewRules(rules: OrderRules, programs: readonly Program[]): OrderDetail["rules"] {
  return {
    program_version: rules.programVersion,
    currency: rules.currency,
    tier: rules.tier.name,
    rate: viewRate(rules.rate),
    campaign: rules.campaign,
    rounding: rules.rounding,
    include_tax: rules.includeTax,
    separate_tax: rules.separateTax,
    award_on: rules.awardOn,
    pending_days: rules.pendingDays,
    shortfall: rules.shortfall,
    is_customer_excluded: rules.isCustomerExcluded,
    moved_in: rules.movedIn,
    excluded_product_tags: [...rules.excludedProductTags],
    bonuses: [...rules.bonuses].map(([collection_id, rate]) => ({
      collection_id,
      name: collectionName(collection_id, ...programs),
      rate: viewRate(rate),
    })),
  };
}

function viewLines(facts: StoredFacts, rules: OrderRules, posted: readonly OrderPosting[]): OrderDetail["lines"] {
  const points = linePoints({ facts, rules, posted });
  return orderBreakdown(facts, rules).map((line) => viewLine(line, rules, points.get(line.line.lineId)));
}

function viewLine(
  breakdown: LineBreakdown,
  rules: OrderRules,
  points: LinePoints | undefined,
): OrderDetail["lines"][0] {
  const { line, gross, net, goods, tax, rate, bonus } = breakdown;
  const { byRate, byBonus } = addPoints(breakdown.goodsPoints, breakdown.taxPoints);
  const { tags, collections } = productOf(line, rules);
  return {
    line_id: line.lineId,
    title: line.title,
    quantity: line.quantity,
    product_id: line.productId,
    tags: [...tags],
    collections: [...collections],
    gross: Number(gross),
    discount: Number(gross - net),
    base: Number(goods + tax),
    left: fractionText(breakdown.left),
    rate: rate === null ? null : viewRate(rate),
    bonus: bonus === null ? null : viewRate(bonus),
    points_exact: fractionText(plus(byRate, byBonus)),
    points_given: Number(points?.given ?? 0n),
    points_taken: Number(points?.taken ?? 0n),
    excluded_by: breakdown.excludedBy,
  };
}

function viewHappened({ kept: { facts }, posted, coupons, receipts, tasks }: FoundOrder) {
  return {
    fulfillments: facts.fulfillments.map((one) => ({
      id: one.fulfillmentId,
      status: one.status,
      created_at: formatInstant(one.createdAt),
      lines: viewUnits(one.lines),
    })),
    refunds: facts.refunds.map((one) => ({
      id: one.refundId,
      created_at: formatInstant(one.createdAt),
      money_moved: one.moneyMoved === null ? null : Number(one.moneyMoved.minor),
      lines: viewUnits(one.lines),
    })),
    coupons: coupons.map(({ uid, code, points, currencyValue, usedAt, isLate }) => ({
      code,
      points: Number(points),
      currency_value: Number(currencyValue),
      used_at: formatInstant(usedAt),
      is_late: isLate,
      returned_points: Number(returnedPoints(uid, posted)),
    })),
    postings: posted.map(({ cause, type, requested, taken, result, uid, allottedAt, object, ...customer }) => ({
      ...{ cause, type, outcome: result, uid, line_id: lineIdOf(object) },
      wanted: Number(requested),
      taken: Number(taken),
      allotted_at: timeOrNull(allottedAt),
      customer: viewCustomer(customer),
    })),
    receipts: receipts.map(({ receivedAt, ...receipt }) => ({ ...receipt, received_at: formatInstant(receivedAt) })),
    tasks: tasks.map(({ uid, kind, cause, points, createdAt, doneAt, doneBy }) => ({
      ...{ uid, kind, cause },
      points: Number(points ?? 0),
      created_at: formatInstant(createdAt),
      done_at: timeOrNull(doneAt),
      done_by: doneBy,
    })),
  };
}

function lineIdOf(object: string | null): string | null {
  return object?.startsWith("line_item-") ? object.slice("line_item-".length) : null;
}

function returnedPoints(couponUid: string, posted: readonly OrderPosting[]): bigint {
  const returns = posted.filter(({ cause }) => cause.startsWith(`coupon_return/${couponUid}/`));
  return returns.reduce((total, { taken }) => total + taken, 0n);
}

function viewUnits(lines: readonly { readonly lineId: string; readonly quantity: number }[]) {
  return lines.map(({ lineId, quantity }) => ({ line_id: lineId, quantity }));
}

function viewRate({ pointValue, currencyValue }: Rate) {
  return { point_value: Number(pointValue), currency_value: Number(currencyValue) };
}

function moneyOrNull(money: Money | undefined) {
  return money === undefined ? null : { minor: Number(money.minor), currency: money.currency };
}

function timeOrNull(instant: Temporal.Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}
