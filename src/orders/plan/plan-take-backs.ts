import type { RefundFact } from "../../platforms/neutral-events.ts";
import type { StoredFacts } from "../facts/order-facts.ts";
import { refundSteps, remainsOf } from "../facts/refund-base.ts";
import { type Shipment, sharesTotal, splitAward } from "./award-split.ts";
import { refundKey, refundKeys } from "./order-keys.ts";
import type { OrderRules } from "./order-rules.ts";
import { earningLines } from "./order-target.ts";
import { nextNumber, orderPosting, type PlannedPosting, type PostedCauseRow } from "./planned-posting.ts";

export interface TakeBackInput {
  readonly facts: StoredFacts;
  readonly rules: OrderRules;
  /** Shipments that were awarded before and still count. */
  readonly posted: readonly Shipment[];
  readonly rows: readonly PostedCauseRow[];
  /** Points awarded so far beyond what those shipments award now, at least 0. */
  readonly excess: bigint;
}

/**
 * Takes `excess` points back, each under its cause (program.md 3 and 4): first the refunds that were not counted yet, each with the amount
 * by which it lowers the award, then the cancellation, then a correction for any other reason. A refund is settled at once, even if it
 * takes nothing because it came before the award: a later loss is not caused by it.
 */
export function planTakeBacks(input: TakeBackInput): {
  readonly postings: readonly PlannedPosting[];
  readonly settled: readonly string[];
} {
  const { facts, rules, rows } = input;
  const { orderId } = facts;
  const causes = new Set(rows.map(({ cause }) => cause));
  const fresh = facts.refunds.filter((refund) => !refundKeys(orderId, refund).some((key) => causes.has(key)));
  const postings: PlannedPosting[] = [];
  const settled: string[] = [];
  let excess = input.excess;
  const take = (key: string, requested: bigint, action: string | null): void => {
    const points = requested < excess ? requested : excess;
    if (points <= 0n) return;
    excess -= points;
    postings.push(orderPosting(orderId, rules, { key, pointValue: -points, object: null, action }));
  };
  for (const { refund, points } of excess > 0n ? effectsOf(fresh, input) : []) {
    take(refundKey(orderId, refund), points, `refund-${refund.refundId}`);
  }
  const taken = new Set(postings.map(({ key }) => key));
  settled.push(...fresh.map((refund) => refundKey(orderId, refund)).filter((key) => !taken.has(key)));
  const cancelKey = `cancel/${orderId}`;
  if (facts.cancelledAt !== null && !causes.has(cancelKey)) take(cancelKey, excess, `cancel-${orderId}`);
  const prefix = `adjust/${orderId}/`;
  take(`${prefix}${nextNumber(rows, prefix)}`, excess, null);
  return { postings, settled };
}

/** Returns by how much each of these refunds lowers what the shipments award, in addition to counted and earlier ones. */
function effectsOf(
  fresh: readonly RefundFact[],
  { facts, rules, posted }: TakeBackInput,
): readonly { readonly refund: RefundFact; readonly points: bigint }[] {
  const uncancelled: StoredFacts = { ...facts, cancelledAt: null };
  const awardWithout = (left: ReadonlySet<RefundFact>): bigint => {
    const refunds = facts.refunds.filter((refund) => !left.has(refund));
    const remains = remainsOf(facts, refunds);
    return sharesTotal(splitAward(posted, { remains, lines: earningLines(uncancelled, rules, remains) }, rules));
  };
  const left = new Set(fresh);
  let before = awardWithout(left);
  return refundSteps(fresh).flatMap((refunds) => {
    for (const refund of refunds) left.delete(refund);
    const after = awardWithout(left);
    const points = before - after;
    before = after;
    return refunds.slice(-1).map((refund) => ({ refund, points }));
  });
}
