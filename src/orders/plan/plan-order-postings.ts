import type { UsedCoupon } from "../coupons/coupon-return.ts";
import { planCouponReturns } from "../coupons/plan-coupon-returns.ts";
import type { StoredFacts } from "../facts/order-facts.ts";
import { remainsOf } from "../facts/refund-base.ts";
import {
  isAwardDue,
  keysOf,
  type OrderRemainder,
  type Share,
  type Shipment,
  sharesTotal,
  shipmentsOf,
  splitAward,
} from "./award-split.ts";
import { closeProducts, type OrderRules, type ProductFacts, pinProducts, withoutUnknown } from "./order-rules.ts";
import { earningLines, targetPoints } from "./order-target.ts";
import { planTakeBacks } from "./plan-take-backs.ts";
import {
  awardRows,
  nextNumber,
  orderPosting,
  type PlannedPosting,
  type PostedCauseRow,
  pointsAwarded,
  requestedTotal,
} from "./planned-posting.ts";
import { type OrderPrice, orderPrice, type TierSpend, tierSpend } from "./tier-spend.ts";

export interface OrderInput {
  readonly facts: StoredFacts;
  /** As stored with the order. */
  readonly rules: OrderRules;
  /** What is known now about the products that the order names, by id. */
  readonly products: ReadonlyMap<string, ProductFacts>;
  /** Every row stored with the order, including `settled` ones. */
  readonly alreadyPosted: readonly PostedCauseRow[];
  /** This service's coupons among the order's codes. */
  readonly coupons: readonly UsedCoupon[];
  readonly now: Temporal.Instant;
  /** Whether nobody gets its points: what is due is not awarded yet. Absent: somebody does. */
  readonly isWaiting?: boolean;
}

export interface OrderPlan {
  /**
   * The rules to store with the order: newly named products are pinned. Unknown tags or collections of one are pinned as such once the order awards:
   * until then they may arrive, since an order's events may come before those of its products.
   */
  readonly rules: OrderRules;
  /** To be posted in this sequence: returned coupon points, then points taken, then points given. */
  readonly postings: readonly PlannedPosting[];
  /** Keys that gave no points and must not give any later: to be stored as rows of 0. */
  readonly settled: readonly string[];
  /** `awardable_points` of interface.md 2.7. */
  readonly awardablePoints: bigint;
  /** `points_awarded` after the postings, if the balance has all points that are taken; otherwise see `pointsAwarded`. */
  readonly pointsAwarded: bigint;
  /** `points_redeemed`: the cost of its coupons, without subtracting returned points. */
  readonly pointsRedeemed: bigint;
  readonly price: OrderPrice;
  readonly tierSpend: TierSpend | null;
  /** When more becomes due: plan again then. null: nothing is pending. */
  readonly pendingUntil: Temporal.Instant | null;
}

/**
 * By how much a clock may be behind the one that found an award due, another node's or its own before it went back: the award is not taken back until
 * it is due again.
 */
const CLOCK_SLACK: Temporal.DurationLike = { hours: 1 };

/**
 * Returns what an order posts now (program.md 4). One rule determines everything: all points ever requested for the order, plus these postings, equal
 * what its facts award at `now`. That sum does not depend on how the facts arrived, so events processed late, twice or in any order give the same
 * result; only the split over allotments may differ. Points that a balance could not give back count as taken, and are never requested again.
 */
export function planOrderPostings(input: OrderInput): OrderPlan {
  const { facts, coupons, alreadyPosted, now } = input;
  const rules = pinProducts(input.rules, facts, input.products);
  if (facts.stated.lines === undefined) return emptyPlan(rules, alreadyPosted, coupons);
  const remainder = remainderOf(facts, rules);
  const shipments = shipmentsOf(facts, rules);
  const rows = awardRows(alreadyPosted);
  const causes = new Set(rows.map(({ cause }) => cause));
  const isDue = (shipment: Shipment) =>
    isAwardDue(shipment, rules, isPosted(shipment, causes) ? now.add(CLOCK_SLACK) : now);
  const [posted, fresh] = partition(shipments.filter(isDue), causes);
  const corrections = planCorrections(facts, rules, remainder, posted, rows);
  const shares = splitAward([...posted, ...fresh], remainder, rules).slice(posted.length);
  const awards = shares.flatMap((share) => awardPostings(share, facts.orderId, rules));
  const postings = [...planCouponReturns({ ...input, rules }), ...corrections.postings, ...awards];
  const earning = new Set(remainder.lines.map(({ lineId }) => lineId));
  const change = [...corrections.postings, ...awards].reduce((total, { pointValue }) => total + pointValue, 0n);
  const price = orderPrice(facts, rules, remainder.remains);
  const isDueNow = input.isWaiting !== true && posted.length + fresh.length > 0;
  const isAwarded = isDueNow || rows.some(({ requested }) => requested !== 0n);
  return {
    rules: isAwarded ? closeProducts(rules) : withoutUnknown(rules, input.rules),
    postings,
    settled: [...corrections.settled, ...shares.flatMap((share) => settledKey(share, earning))],
    awardablePoints: targetPoints(remainder.lines, rules),
    pointsAwarded: pointsAwarded(rows) + change,
    pointsRedeemed: redeemed(coupons),
    price,
    tierSpend: tierSpend(price, rules),
    pendingUntil: earliest(shipments.filter((shipment) => !isDue(shipment)).map(({ dueAt }) => dueAt)),
  };
}

function remainderOf(facts: StoredFacts, rules: OrderRules): OrderRemainder {
  const remains = remainsOf(facts, facts.refunds);
  return { remains, lines: earningLines(facts, rules, remains) };
}

/** Makes the points posted so far equal to what the shipments posted so far award with the present facts. */
function planCorrections(
  facts: StoredFacts,
  rules: OrderRules,
  remainder: OrderRemainder,
  posted: readonly Shipment[],
  rows: readonly PostedCauseRow[],
): { readonly postings: readonly PlannedPosting[]; readonly settled: readonly string[] } {
  const difference = sharesTotal(splitAward(posted, remainder, rules)) - requestedTotal(rows);
  const takeBacks = planTakeBacks({ facts, rules, posted, rows, excess: difference < 0n ? -difference : 0n });
  if (difference <= 0n) return takeBacks;
  const prefix = `adjust/${facts.orderId}/`;
  const key = `${prefix}${nextNumber(rows, prefix)}`;
  const gift = orderPosting(facts.orderId, rules, { key, pointValue: difference, object: null, action: null });
  return { postings: [...takeBacks.postings, gift], settled: takeBacks.settled };
}

function partition(
  shipments: readonly Shipment[],
  causes: ReadonlySet<string>,
): [readonly Shipment[], readonly Shipment[]] {
  const isOld = (shipment: Shipment) => isPosted(shipment, causes);
  return [shipments.filter(isOld), shipments.filter((shipment) => !isOld(shipment))];
}

function isPosted(shipment: Shipment, causes: ReadonlySet<string>): boolean {
  return keysOf(shipment).some((key) => causes.has(key));
}

function awardPostings({ shipment, goods, tax }: Share, orderId: string, rules: OrderRules): readonly PlannedPosting[] {
  const object = `line_item-${shipment.lineId}`;
  const action = shipment.fulfillmentId === null ? null : `fulfillment-${shipment.fulfillmentId}`;
  const parts = [
    { key: shipment.goodsKey, pointValue: goods, object, action },
    { key: shipment.taxKey, pointValue: tax, object, action, isTax: true },
  ];
  return parts.filter(({ pointValue }) => pointValue !== 0n).map((part) => orderPosting(orderId, rules, part));
}

function settledKey({ shipment, goods, tax }: Share, earning: ReadonlySet<string>): readonly string[] {
  return earning.has(shipment.lineId) && goods === 0n && tax === 0n ? [shipment.goodsKey] : [];
}

/** The plan while the order's body has not arrived: nothing that could earn or be taken back is known. */
function emptyPlan(rules: OrderRules, rows: readonly PostedCauseRow[], coupons: readonly UsedCoupon[]): OrderPlan {
  return {
    rules,
    postings: [],
    settled: [],
    awardablePoints: 0n,
    pointsAwarded: pointsAwarded(rows),
    pointsRedeemed: redeemed(coupons),
    price: { minor: 0n, creditedAt: null },
    tierSpend: null,
    pendingUntil: null,
  };
}

function redeemed(coupons: readonly UsedCoupon[]): bigint {
  return coupons.reduce((total, { points }) => total + points, 0n);
}

function earliest(times: readonly Temporal.Instant[]): Temporal.Instant | null {
  return times.length === 0 ? null : times.reduce((a, b) => (Temporal.Instant.compare(a, b) <= 0 ? a : b));
}
