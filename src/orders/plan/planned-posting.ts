import type { AllotmentType } from "../../ledger/allotment-types.ts";
import type { ReasonType } from "../../wire/allotment-choices.ts";
import type { OrderRules } from "./order-rules.ts";

/** What was posted for an order under one natural key; stored with the order, whichever customer it went to. */
export interface PostedCauseRow {
  /** The natural key. */
  readonly cause: string;
  /** Signed points that the plan requested; 0 for a cause that gave no points. */
  readonly requested: bigint;
  /** Signed points that the balance actually gave or took. */
  readonly taken: bigint;
}

/** One allotment that an order requests. */
export interface PlannedPosting {
  /** Natural key (program.md 3). */
  readonly key: string;
  readonly type: AllotmentType;
  /** Signed, never 0. */
  readonly pointValue: bigint;
  readonly object: string | null;
  readonly parent: string;
  readonly action: string | null;
  readonly cascade: boolean;
  readonly reasonType: ReasonType;
  /** What happens if the balance is below the deduction (program.md 4); null for points that are given. */
  readonly shortfall: OrderRules["shortfall"] | null;
  /** The lots that this order's own allotments opened burn before others. */
  readonly drawsOwnLots: boolean;
  /** The coupon whose points are returned or taken again; null: the points are the order's own. */
  readonly couponUid: string | null;
  /** The coupon's points are returned, without those returned before. */
  readonly giveBack: { readonly skip: bigint } | null;
}

/** Returns a posting of the order's own points: `pointValue` above 0 gives, below 0 takes back. */
export function orderPosting(
  orderId: string,
  rules: OrderRules,
  posting: Pick<PlannedPosting, "key" | "pointValue" | "object" | "action"> & { readonly isTax?: boolean },
): PlannedPosting {
  const gives = posting.pointValue > 0n;
  const givenType = posting.isTax ? "tax" : "fulfillment";
  return {
    key: posting.key,
    type: gives ? givenType : "refund",
    pointValue: posting.pointValue,
    object: posting.object,
    parent: `order-${orderId}`,
    action: posting.action,
    cascade: true,
    reasonType: gives ? "fulfillment" : "refund",
    shortfall: gives ? null : rules.shortfall,
    drawsOwnLots: !gives,
    couponUid: null,
    giveBack: null,
  };
}

const COUPON_KEY = "coupon_return/";

/** Returns the rows of the order's own points: all except coupon returns. */
export function awardRows<Row extends PostedCauseRow>(rows: readonly Row[]): readonly Row[] {
  return rows.filter(isAwardRow);
}

export function isAwardRow({ cause }: PostedCauseRow): boolean {
  return !cause.startsWith(COUPON_KEY);
}

export function couponKey(couponUid: string, cause: string): string {
  return `${COUPON_KEY}${couponUid}/${cause}`;
}

export function requestedTotal(rows: readonly PostedCauseRow[]): bigint {
  return rows.reduce((total, { requested }) => total + requested, 0n);
}

/** Returns what postings moved: less than was requested where a balance did not have it. */
export function takenTotal(rows: readonly PostedCauseRow[]): bigint {
  return rows.reduce((total, { taken }) => total + taken, 0n);
}

/** Returns `points_awarded` (interface.md 2.7, program.md 4): the sum of the order's `fulfillment`, `tax` and `refund` allotments. */
export function pointsAwarded(rows: readonly PostedCauseRow[]): bigint {
  return takenTotal(awardRows(rows));
}

/** Returns the first number of `<prefix><n>` that no row has. */
export function nextNumber(rows: readonly PostedCauseRow[], prefix: string): number {
  const numbers = rows
    .filter(({ cause }) => cause.startsWith(prefix))
    .map(({ cause }) => Number(cause.slice(prefix.length)))
    .filter((n) => Number.isInteger(n));
  return Math.max(0, ...numbers) + 1;
}
