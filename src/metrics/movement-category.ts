import type { AllotmentType } from "../ledger/allotment-types.ts";

/** The categories of allotments in the store's metrics. Each allotment has exactly one; together they are all points that moved. */
const MOVEMENT_CATEGORIES = ["issued", "spent", "expired", "refunded", "returned", "adjusted"] as const;

export type MovementCategory = (typeof MOVEMENT_CATEGORIES)[number];

/**
 * - issued: given by orders, rewards, the API and workflows;
 * - spent: taken by coupons, the API and workflows;
 * - expired: removed at their expiry date;
 * - refunded: taken back because an order was refunded or cancelled;
 * - returned: points of a coupon that was cancelled or whose order was refunded or cancelled;
 * - adjusted: changes by staff, imports, deletions (the points of a merge sum to zero).
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

/** Sums of one type over a day or another period: points and counts, both positive. */
export interface TypeSums {
  readonly type: AllotmentType;
  readonly gained: bigint;
  readonly gains: bigint;
  readonly taken: bigint;
  readonly takes: bigint;
}

/** Points by category. Spent, expired and refunded points were taken and are given as positive numbers; adjusted is signed. */
export type CategoryPoints = Record<MovementCategory, bigint>;

export function noPoints(): CategoryPoints {
  return { issued: 0n, spent: 0n, expired: 0n, refunded: 0n, returned: 0n, adjusted: 0n };
}

const TAKING: readonly MovementCategory[] = ["spent", "expired", "refunded"];

/** Adds the sums of types up to points by category. */
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

/** The change of the points outstanding that the points by category make. */
export function netPoints(points: CategoryPoints): bigint {
  const { issued, spent, expired, refunded, returned, adjusted } = points;
  return issued - spent - expired - refunded + returned + adjusted;
}

/** The points spent in a period as a share of those issued in it, 0 or more; null where none were issued. */
export function redemptionRate({ issued, spent }: CategoryPoints): number | null {
  return issued === 0n ? null : Number((spent * 10_000n) / issued) / 10_000;
}
