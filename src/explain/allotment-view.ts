import type { Static } from "typebox";
import { plus } from "../orders/plan/fraction.ts";
import type { ExactPoints } from "../orders/plan/order-target.ts";
import { fractionText } from "../orders/preview/preview-breakdown.ts";
import { viewBreakdown, viewRules } from "../orders/preview/view.ts";
import type { RefundFact } from "../platforms/neutral-events.ts";
import { formatInstant } from "../time/store-time.ts";
import type { CouponFacts, DrawFacts } from "./allotment-queries.ts";
import type { AllotmentExplanation, ExpirationPart, OrderPart } from "./explanation.ts";
import type { Step } from "./order-explanation.ts";
import type { allotmentExplanation } from "./schema.ts";

export function viewAllotmentExplanation(
  explanation: AllotmentExplanation,
  words: readonly string[],
): Static<typeof allotmentExplanation> {
  const { allotment, order, coupon, expiration } = explanation;
  const { uid, type, version, object, parent, action, origin } = allotment;
  return {
    data: {
      ...{ uid, type, version, object, parent, action, origin },
      customer_id: allotment.storefrontId,
      point_value: allotment.pointValue,
      allotted_at: formatInstant(allotment.allottedAt),
      balance_before: allotment.balanceAfter - allotment.pointValue,
      balance_after: allotment.balanceAfter,
      source_key: allotment.sourceKey,
      extends_expiration: allotment.extends,
      earned_at: timeOrNull(allotment.earnedAt),
      own_date: timeOrNull(allotment.ownDate),
      settled_debt: allotment.settledDebt,
      program: {
        version: allotment.programVersion,
        author: allotment.programAuthor,
        valid_from: timeOrNull(allotment.programFrom),
      },
      asked_by: {
        app_reference: allotment.appReference,
        credential: allotment.isCredential ? allotment.appReference : null,
        actor: allotment.actor,
        reason_type: allotment.reasonType,
        note: allotment.note,
      },
      received: (order?.received ?? []).map(({ topic, adapter, deliveryKey, receivedAt, state }) => ({
        ...{ topic, adapter, state },
        delivery_key: deliveryKey,
        received_at: formatInstant(receivedAt),
      })),
      draws: explanation.draws.map(viewDraw),
      used_by: explanation.usedBy.map(viewDraw),
      lots: explanation.lots.map(({ part, remaining, goesAt }) => ({
        part,
        remaining,
        expires_at: timeOrNull(goesAt),
      })),
      order: order === null ? null : viewOrder(order),
      coupon: coupon === null ? null : viewCoupon(coupon),
      expiration: expiration === null ? null : viewExpiration(expiration),
      words: [...words],
    },
  };
}

function viewDraw({ points, uid, type, allottedAt, object, parent }: DrawFacts) {
  return { points, uid, type, allotted_at: formatInstant(allottedAt), object, parent };
}

function viewOrder({ orderId, kept, posted, explanation }: OrderPart) {
  const row = explanation?.row;
  const missing = row === undefined ? null : row.taken - row.requested;
  return {
    id: orderId,
    awardable_points: kept.awardablePoints,
    points_awarded: kept.awardedPoints,
    points_redeemed: kept.redeemedPoints,
    forgiven_points: kept.forgivenPoints,
    rules: viewRules(kept.rules),
    lines: (explanation?.lines ?? []).map(viewBreakdown),
    cause: row?.cause ?? null,
    step: explanation === null ? null : viewStep(explanation.step),
    wanted: row?.requested ?? null,
    taken: row?.taken ?? null,
    forgiven: row?.result === "capped" ? missing : row === undefined ? null : 0n,
    set_off: row === undefined ? null : row.result === "set_off" ? row.requested - row.taken : 0n,
    outcome: row?.result ?? null,
    is_reproduced: explanation?.isReproduced ?? null,
    postings: posted.map(({ cause, requested, taken, result, uid, allottedAt }) => ({
      ...{ cause, wanted: requested, taken, uid },
      outcome: result,
      allotted_at: timeOrNull(allottedAt),
    })),
  };
}

function viewStep({ kind, shipment, isTax, refund, exactBefore, exactAfter, before, after }: Step) {
  return {
    kind,
    line_id: shipment?.lineId ?? null,
    fulfillment_id: shipment?.fulfillmentId ?? null,
    units: shipment?.units ?? null,
    is_tax: isTax,
    exact_before: exactText(exactBefore),
    exact_after: exactText(exactAfter),
    before,
    after,
    refund: refund === null ? null : viewRefund(refund),
  };
}

function viewRefund({ refundId, createdAt, moneyMoved, lines }: RefundFact) {
  return {
    refund_id: refundId,
    created_at: formatInstant(createdAt),
    money_moved: moneyMoved?.minor ?? null,
    lines: lines.map(({ lineId, quantity, restock, subtotal }) => ({
      ...{ quantity, restock },
      line_id: lineId,
      subtotal: subtotal.minor,
    })),
  };
}

function viewCoupon(coupon: CouponFacts) {
  return {
    id: coupon.uid,
    code: coupon.code,
    point_value: coupon.pointValue,
    currency_value: coupon.currencyValue,
    state: coupon.usedBy === null ? coupon.state : "used",
    issued_at: formatInstant(coupon.issuedAt),
    expires_at: formatInstant(coupon.expiresAt),
    used_by: coupon.usedBy,
  };
}

function viewExpiration({ rules, activeAt, draws }: ExpirationPart) {
  return {
    mode: rules.mode,
    delay_months: rules.delayMonths,
    sweep: rules.sweep,
    shortened_at: timeOrNull(rules.shortenedAt),
    active_at: timeOrNull(activeAt),
    lots: draws.map(({ uid, points, since, ownDate, goesAt }) => ({
      ...{ uid, points },
      since: formatInstant(since),
      own_date: timeOrNull(ownDate),
      expired_at: timeOrNull(goesAt),
    })),
  };
}

function exactText({ byRate, byBonus }: ExactPoints): string {
  return fractionText(plus(byRate, byBonus));
}

function timeOrNull(instant: Temporal.Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}
