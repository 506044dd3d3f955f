import type { AllotmentType } from "../ledger/allotment-types.ts";

/** What an allotment means to a store's figures. Each has exactly one; together they are all that moved. */
export const FLOWS = ["issued", "spent", "expired", "refunded", "returned", "adjusted"] as const;

export type Flow = (typeof FLOWS)[number];

/**
 * - issued: given by orders, rewards, the interface and workflows;
 * - spent: taken by coupons, the interface and workflows;
 * - expired: written off at their date;
 * - refunded: taken back because an order was refunded or cancelled;
 * - returned: given back because a coupon was cancelled or its order fell away;
 * - adjusted: staff's changes, imports, deletions (what a merge moves sums to nothing).
 */
export function flowOf(type: AllotmentType, isGain: boolean): Flow {
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

/** Points by flow. Spent, expired and refunded count what was taken and are positive; adjusted is signed. */
export type FlowPoints = Record<Flow, bigint>;

export function noPoints(): FlowPoints {
  return { issued: 0n, spent: 0n, expired: 0n, refunded: 0n, returned: 0n, adjusted: 0n };
}

const TAKING: readonly Flow[] = ["spent", "expired", "refunded"];

/** Adds sums by type up to points by flow. */
export function flowPoints(sums: Iterable<TypeSums>): FlowPoints {
  const points = noPoints();
  for (const { type, gained, taken } of sums) {
    const add = (flow: Flow, value: bigint) => {
      points[flow] += TAKING.includes(flow) ? -value : value;
    };
    add(flowOf(type, true), gained);
    add(flowOf(type, false), -taken);
  }
  return points;
}

/** What the points by flow change the points outstanding by. */
export function netOf(points: FlowPoints): bigint {
  const { issued, spent, expired, refunded, returned, adjusted } = points;
  return issued - spent - expired - refunded + returned + adjusted;
}

/** The share of the points issued in a stretch that was spent in it, 0 and up; null: none were issued. */
export function redemptionRate({ issued, spent }: FlowPoints): number | null {
  return issued === 0n ? null : Number((spent * 10_000n) / issued) / 10_000;
}
