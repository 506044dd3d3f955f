import type { Outcome, Posting } from "../../ledger/posting.ts";
import { plainPosting } from "../../ledger/posting.ts";
import { type CouponUse, integrationName, type ReturnedPoints, type StoreOrder } from "../store-order.ts";
import type { LockedCoupon } from "./coupon-use-queries.ts";

/**
 * Takes a coupon's points again that were returned before its use was reported, without those that have expired since; capped at the balance
 * (program.md 2).
 */
export function lateDebit(
  coupon: LockedCoupon,
  { left, versions }: ReturnedPoints,
  order: StoreOrder,
  uid: string,
): Posting {
  const change = { kind: "add", pointValue: -left, shortfall: "cap" } as const;
  return {
    ...plainPosting(uid, "api", integrationName(order.platform), change),
    sourceKey: `coupon/${coupon.uid}/use`,
    object: `coupon-${coupon.uid}`,
    parent: `order-${order.orderId}`,
    reasonType: "coupon",
    drawFirst: versions,
  };
}

/** Returns the cost of a late use: what its holder's balance gave. */
export function lateUse(coupon: LockedCoupon, outcome: Outcome | undefined): CouponUse {
  const isTaken = outcome?.kind === "posted" || outcome?.kind === "duplicate";
  return isTaken
    ? { ...coupon, customer: coupon.holder, points: -outcome.pointValue, debitVersion: outcome.version }
    : { ...coupon, customer: coupon.holder, points: 0n, debitVersion: null };
}
