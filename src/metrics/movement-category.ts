import type { AllotmentType } from "../ledger/allotment-types.ts";

/** What an allotment counts as in the store's metrics. Each has exactly one category; together they are everything that moved. */
export const MOVEMENT_CATEGORIES = ["issued", "spent", "expired", "refunded", "returned", "adjusted"] as const;

export type MovementCategory = (typeof MOVEMENT_CATEGORIES)[number];

/**
 * - issued: given by orders, rewards, the interface and workflows;
 * - spent: taken by coupons, the interface and workflows;
 * - expired: written off at their date;
 * - refunded: taken back because an order was refunded or cancelled;
 * - returned: points of a coupon that was cancelled or whose order was refunded or cancelled;
 * - adjusted: staff's changes, imports, deletions (what a merge moves sums to nothing).
 */
export function movementCategoryOf(type: AllotmentType, isGain: boolean): MovementCategory {
  switch (type) {
    case "fulfillment":
    case "tax":
    case "reward":
    case "api":
    case "flow":
      return isGain ? "issued" : "spent";
    case "expiration":
      return "expired";
    case "refund":
      return "refunded";
    case "coupon_reimbursement":
    case "coupon_cancellation":
      return "returned";
    case "csv":
    case "manual":
    case "deletion":
      return "adjusted";
  }
}

/** Sums of one day (or of any stretch) and type: points and counts, both of them positive. */
export interface TypeSums {
  readonly type: AllotmentType;
  readonly gained: bigint;
  readonly gains: bigint;
  readonly taken: bigint;
  readonly takes: bigint;
}

/** Points by category. Spent, expired and refunded count what was taken and are positive; adjusted is signed. */
export type CategoryPoints = Record<MovementCategory, bigint>;

export function noPoints(): CategoryPoints {
  return { issued: 0n, spent: 0n, expired: 0n, refunded: 0n, returned: 0n, adjusted: 0n };
}

const TAKING: readonly MovementCategory[] = ["spent", "expired", "refunded"];

/** Adds sums by type up to points by category. */
export function categoryPoints(sums: Iterable<TypeSums>): CategoryPoints {
  const points = noPoints();
  for (const { type, gained, taken } of sums) {
    const add = (category: MovementCategory, value: bigint) => {
      points[category] += TAKING.includes(category) ? -value : value;
    };
    add(movementCategoryOf(type, true), gained);
    add(movementCategoryOf(type, false), -taken);
  }
  return points;
}

/** What the points by category change the points outstanding by. */
export function netPoints(points: CategoryPoints): bigint {
  const { issued, spent, expired, refunded, returned, adjusted } = points;
  return issued - spent - expired - refunded + returned + adjusted;
}

/** The share of the points issued in a stretch that was spent in it, 0 and up; null: none were issued. */
export function redemptionRate({ issued, spent }: CategoryPoints): number | null {
  return issued === 0n ? null : Number((spent * 10_000n) / issued) / 10_000;
}
