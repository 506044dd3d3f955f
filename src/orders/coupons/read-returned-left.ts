import type { Tx } from "../../db/pool.ts";
import { lockLiveBalances } from "../../ledger/balance-queries.ts";
import { allotmentName, groupCarried, versionsOf } from "../../ledger/carried-lots.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import type { PostingDeps } from "../../ledger/posting-batch.ts";
import { readCarried } from "../../ledger/read-carried.ts";
import { readExpired } from "../../ledger/read-expired.ts";
import { writeOffBesideHolds } from "../../ledger/write-off-beside-holds.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../../webhooks/read-active-topics.ts";
import { couponKey, type PostedCauseRow, requestedTotal, takenTotal } from "../plan/planned-posting.ts";
import type { AssignedPosting, ReturnedPoints } from "../store-order.ts";
import { type LockedCoupon, selectReturns } from "./coupon-use-queries.ts";

/** What an order takes again of coupon points that came back. */
export interface CouponTakes {
  /** Coupons whose use was reported late, of customers who are not deleted. */
  readonly late: readonly LockedCoupon[];
  readonly postings: readonly AssignedPosting[];
  /** The order's earlier postings. */
  readonly rows: readonly PostedCauseRow[];
}

/**
 * Returns, by coupon uid, the returned points that the order may take again. Those that have expired since are gone: no other points are
 * taken for them. Reads nothing if nothing is to be taken; otherwise the balances of `customers`, those of all postings, are locked, so that
 * nothing expires in between, and what is due of those with holds is written off.
 */
export async function readReturnedLeft(
  tx: Tx,
  deps: PostingDeps,
  takes: CouponTakes,
  customers: readonly CustomerRef[],
): Promise<ReadonlyMap<string, ReturnedPoints>> {
  const returns = [
    ...takes.late.map(returnOfUnused),
    ...takes.postings.flatMap((one) => returnsTaken(one, takes.rows)),
  ];
  if (returns.length === 0) return new Map();
  await tx.execute(LOCK_SUBSCRIPTIONS_SHARED);
  await writeOffBesideHolds(tx, deps, await lockLiveBalances(tx, customers));
  const allotments = await selectReturns(
    tx,
    returns.flatMap(({ causes }) => causes),
  );
  const [expired, carried] = await Promise.all([
    readExpired(tx, [...allotments.values()], deps.clock.now()),
    readCarried(tx, [...allotments.values()]),
  ]);
  const carriedOf = groupCarried(carried);
  return new Map(
    returns.map(({ couponUid, holder, causes, points }) => {
      const own = causes.flatMap((cause) => allotments.get(cause) ?? []);
      const gone = own.reduce((sum, one) => sum + (expired.get(allotmentName(one)) ?? 0n), 0n);
      const versions = own.flatMap((one) => versionsOf(one, holder, carriedOf));
      return [couponUid, { left: gone < points ? points - gone : 0n, versions }];
    }),
  );
}

interface Returns {
  readonly couponUid: string;
  readonly holder: CustomerRef;
  /** The natural keys of the allotments that returned points. */
  readonly causes: readonly string[];
  /** Returned points, without those that were taken again and those that stay returned. */
  readonly points: bigint;
}

function returnOfUnused({ uid, holder, points }: LockedCoupon): Returns {
  return { couponUid: uid, holder, causes: [couponKey(uid, "cancellation")], points };
}

function returnsTaken({ planned, customer }: AssignedPosting, rows: readonly PostedCauseRow[]): readonly Returns[] {
  if (planned.couponUid === null || planned.pointValue > 0n) return [];
  const { couponUid } = planned;
  const own = rows.filter(({ cause }) => cause.startsWith(couponKey(couponUid, "")));
  const causes = own.flatMap(({ cause, taken }) => (taken > 0n ? cause : []));
  const target = requestedTotal(own) + planned.pointValue;
  return [{ couponUid, holder: customer, causes, points: takenTotal(own) - target }];
}
