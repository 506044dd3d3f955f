import type { RefundFact } from "../../platforms/neutral-events.ts";
import { isOrderOver, type StoredFacts, withoutEnd } from "../facts/order-facts.ts";
import { refundSteps, remainsOf } from "../facts/refund-base.ts";
import type { OrderRules } from "../plan/order-rules.ts";
import {
  couponKey,
  nextNumber,
  type PlannedPosting,
  type PostedCauseRow,
  requestedTotal,
  takenTotal,
} from "../plan/planned-posting.ts";
import { returnedPoints, type UsedCoupon } from "./coupon-return.ts";

export interface CouponReturnInput {
  readonly facts: StoredFacts;
  readonly rules: OrderRules;
  readonly alreadyPosted: readonly PostedCauseRow[];
  readonly coupons: readonly UsedCoupon[];
}

interface Part {
  readonly cause: string;
  readonly points: bigint;
  readonly action: string | null;
}

/**
 * Returns the points of the order's coupons that are returned now (program.md 4, type `coupon_reimbursement`): what the facts return, less what was
 * returned before, attributed to the refunds that cause it, then to the cancellation. If the facts now return less, the difference is taken again,
 * at most the balance. What could not be taken then is still with the customer, and is not returned a second time.
 */
export function planCouponReturns(input: CouponReturnInput): readonly PlannedPosting[] {
  return input.coupons.flatMap((coupon) => {
    const prefix = couponKey(coupon.uid, "");
    const rows = input.alreadyPosted.filter(({ cause }) => cause.startsWith(prefix));
    const { facts, rules } = input;
    const target = returnedPoints(coupon, facts, rules, remainsOf(facts, facts.refunds));
    const requested = requestedTotal(rows);
    let skip = larger(requested, takenTotal(rows));
    const due = target > requested ? larger(target - skip, 0n) : target - requested;
    return partsOf(coupon, input, rows, due).map(({ cause, points, action }) => {
      const posting = couponPosting(coupon, facts.orderId, { cause, points, action }, skip);
      skip += points;
      return posting;
    });
  });
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function partsOf(
  coupon: UsedCoupon,
  input: CouponReturnInput,
  rows: readonly PostedCauseRow[],
  due: bigint,
): readonly Part[] {
  const { facts } = input;
  const causes = new Set(rows.map(({ cause }) => cause));
  const parts: Part[] = [];
  let left = due;
  if (due > 0n) {
    const fresh = facts.refunds.filter(({ refundId }) => !causes.has(couponKey(coupon.uid, refundId)));
    for (const { refund, points } of effectsOf(coupon, input, fresh)) {
      const part = points < left ? points : left;
      if (part <= 0n) continue;
      left -= part;
      parts.push({ cause: refund.refundId, points: part, action: `refund-${refund.refundId}` });
    }
    const canCancel = isOrderOver(facts) && !causes.has(couponKey(coupon.uid, "cancel"));
    if (left > 0n && canCancel) {
      parts.push({ cause: "cancel", points: left, action: `cancel-${facts.orderId}` });
      left = 0n;
    }
  }
  const cause = `adjust-${nextNumber(rows, couponKey(coupon.uid, "adjust-"))}`;
  return left === 0n ? parts : [...parts, { cause, points: left, action: null }];
}

/** Returns how much of a coupon each of these refunds returns, in addition to counted and earlier ones, ignoring the order's end. */
function effectsOf(
  coupon: UsedCoupon,
  { facts, rules }: CouponReturnInput,
  fresh: readonly RefundFact[],
): readonly { readonly refund: RefundFact; readonly points: bigint }[] {
  const open = withoutEnd(facts);
  const left = new Set(fresh);
  const returned = (): bigint => {
    const refunds = facts.refunds.filter((refund) => !left.has(refund));
    return returnedPoints(coupon, open, rules, remainsOf(facts, refunds));
  };
  let before = returned();
  return refundSteps(fresh).flatMap((refunds) => {
    for (const refund of refunds) left.delete(refund);
    const after = returned();
    const points = after - before;
    before = after;
    return refunds.slice(-1).map((refund) => ({ refund, points }));
  });
}

function couponPosting(coupon: UsedCoupon, orderId: string, part: Part, skip: bigint): PlannedPosting {
  const gives = part.points > 0n;
  return {
    key: couponKey(coupon.uid, part.cause),
    type: "coupon_reimbursement",
    pointValue: part.points,
    object: `coupon-${coupon.uid}`,
    parent: `order-${orderId}`,
    action: part.action,
    cascade: false,
    reasonType: "coupon",
    shortfall: gives ? null : "cap",
    drawsOwnLots: false,
    couponUid: coupon.uid,
    giveBack: gives ? { skip } : null,
  };
}
