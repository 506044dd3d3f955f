import type { Tx } from "../../db/pool.ts";
import { lockLiveBalances } from "../../ledger/balance-queries.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import { readExpired } from "../../ledger/expiry/read-expired.ts";
import { writeOffBesideHolds } from "../../ledger/expiry/write-off-beside-holds.ts";
import { allotmentName, groupCarried, versionsOf } from "../../ledger/merge/carried-lots.ts";
import { readCarried } from "../../ledger/merge/read-carried.ts";
import type { PostingDeps } from "../../ledger/queue/posting-batch.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../../webhooks/read-active-topics.ts";
import { couponKey, type PostedCauseRow, requestedTotal, takenTotal } from "../plan/planned-posting.ts";
import type { AssignedPosting, ReturnedPoints } from "../store-order.ts";
import { type CouponReturn, type LockedCoupon, selectReturns } from "./coupon-use-queries.ts";

/** What an order takes again of coupon points that came back. */
export interface CouponTakes {
  /** Coupons whose use was reported late. */
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
  const given = [...allotments.values()].filter(({ points }) => points > 0n);
  const [expired, carried] = await Promise.all([readExpired(tx, given, deps.clock.now()), readCarried(tx, given)]);
  const carriedOf = groupCarried(carried);
  return new Map(
    returns.map(({ couponUid, holder, causes, points }) => {
      const parts = lastReturned(
        causes.flatMap((cause) => allotments.get(cause) ?? []),
        points,
      );
      const leftOf = ({ of, points }: ReturnedPart) => points - least(points, expired.get(allotmentName(of)) ?? 0n);
      const versions = parts.flatMap(({ of }) => versionsOf(of, holder, carriedOf));
      return [couponUid, { left: parts.reduce((sum, part) => sum + leftOf(part), 0n), versions }];
    }),
  );
}

/** Points of one allotment by which a coupon's points came back. */
interface ReturnedPart {
  readonly of: CouponReturn;
  readonly points: bigint;
}

/**
 * Returns the parts that came back last, newest first, up to `points`: a correction takes these again. Points that were taken again before had
 * come back last then.
 */
function lastReturned(returns: readonly CouponReturn[], points: bigint): readonly ReturnedPart[] {
  const there: ReturnedPart[] = [];
  for (const one of returns.toSorted((a, b) => Temporal.Instant.compare(a.allottedAt, b.allottedAt))) {
    if (one.points > 0n) there.push({ of: one, points: one.points });
    else takeLast(there, -one.points);
  }
  return takeLast(there, points);
}

/** Removes the last points from a list of parts, and returns them, the last part first. */
function takeLast(parts: ReturnedPart[], points: bigint): readonly ReturnedPart[] {
  const taken: ReturnedPart[] = [];
  for (let left = points; left > 0n; ) {
    const last = parts.pop();
    if (last === undefined) break;
    const some = least(last.points, left);
    taken.push({ ...last, points: some });
    if (some < last.points) parts.push({ ...last, points: last.points - some });
    left -= some;
  }
  return taken;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

interface Returns {
  readonly couponUid: string;
  readonly holder: CustomerRef;
  /** The natural keys of the allotments that returned points, or took some of them again. */
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
  const causes = own.flatMap(({ cause, taken }) => (taken === 0n ? [] : cause));
  const target = requestedTotal(own) + planned.pointValue;
  return [{ couponUid, holder: customer, causes, points: takenTotal(own) - target }];
}
