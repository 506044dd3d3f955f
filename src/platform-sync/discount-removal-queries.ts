import { isLeaseOver, leaseEnd, leasesOf } from "../db/lease.ts";
import type { Queryable } from "../db/pool.ts";

/** A code that is being removed at the platform, so that its points can be returned (platforms.md 3). */
export interface DiscountRemoval {
  readonly couponUid: string;
  readonly code: string;
  readonly discountRef: string;
  /** The state of the coupon after the removal. */
  readonly state: "cancelled" | "expired";
  readonly appReference: string;
  readonly attempts: number;
  readonly leaseUid: string;
}

/** Seconds; longer than the requests of one removal take. */
const LEASE_S = 120;
/** Seconds; neither a lease nor a wait for the next look is that long. */
const LONGEST_S = 7_200;

const COLUMNS = `l.coupon_uid as "couponUid",
  l.code,
  l.discount_ref as "discountRef",
  l.state,
  l.app_reference as "appReference",
  l.lease_uid as "leaseUid",
  l.attempts`;

const BEGIN = `insert into coupon_removal as l (coupon_uid, code, discount_ref, state, app_reference, lease_uid, lease_until)
select c.uid, c.code, c.discount_ref, 'cancelled', $2, $3, ${leaseEnd(LEASE_S)}
from coupon c
where c.uid = $1
on conflict (coupon_uid) do update
set lease_uid = excluded.lease_uid,
  lease_until = excluded.lease_until
where ${isLeaseOver("l", LONGEST_S)}
returning ${COLUMNS}`;

/** Records that a coupon's code is to be removed, and leases the removal; undefined where another caller is working on it. */
export async function beginDiscountRemoval(
  queryable: Queryable,
  input: { readonly couponUid: string; readonly appReference: string; readonly leaseUid: string },
): Promise<DiscountRemoval | undefined> {
  const [row] = await queryable.query<DiscountRemoval>(BEGIN, [input.couponUid, input.appReference, input.leaseUid]);
  return row;
}

const BEGIN_EXPIRED = `insert into coupon_removal (coupon_uid, code, discount_ref, state, app_reference, lease_uid, lease_until)
select c.uid, c.code, c.discount_ref, 'expired', 'pointkeeper', $2, '-infinity'
from coupon c
where c.state = 'open'
  and c.due_at <= $1
  and c.discount_ref is not null
  and not exists (select from coupon_use u where u.coupon_uid = c.uid)
on conflict (coupon_uid) do nothing`;

/** Records that the codes of all coupons that expired unused, including their grace period, are to be removed. */
export async function beginExpired(queryable: Queryable, now: Temporal.Instant, leaseUid: string): Promise<number> {
  return queryable.execute(BEGIN_EXPIRED, [now, leaseUid]);
}

const BEGIN_RELEASED = `insert into coupon_removal (coupon_uid, code, discount_ref, state, app_reference, lease_uid, lease_until)
select c.uid, c.code, c.discount_ref, 'cancelled', 'pointkeeper', $2, '-infinity'
from coupon c
where c.uid = any($1)
  and c.discount_ref is not null
on conflict (coupon_uid) do nothing`;

/** Records that the codes of these coupons, which were taken out of a cart unused, are to be removed. */
export async function beginReleased(tx: Queryable, couponUids: readonly string[], leaseUid: string): Promise<void> {
  await tx.execute(BEGIN_RELEASED, [couponUids, leaseUid]);
}

const SELECT_NEXT_DUE = `select min(c.due_at) as "dueAt"
from coupon c
where c.state = 'open'
  and c.discount_ref is not null
  and not exists (select from coupon_use u where u.coupon_uid = c.uid)
  and not exists (select from coupon_removal r where r.coupon_uid = c.uid)`;

/** The time at which the next code is to be removed because its coupon expires; null where there is none. */
export async function selectNextExpiry(queryable: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await queryable.query<{ dueAt: Temporal.Instant | null }>(SELECT_NEXT_DUE);
  return row?.dueAt ?? null;
}

const leases = leasesOf<DiscountRemoval>({
  update: "update coupon_removal",
  key: "coupon_uid",
  free: `select w.coupon_uid
  from coupon_removal w
  where ${isLeaseOver("w", LONGEST_S)}
  order by w.lease_until`,
  columns: COLUMNS,
  seconds: LEASE_S,
});

/** Leases a removal that no caller works on; undefined where there is none. */
export function claimDiscountRemoval(queryable: Queryable, leaseUid: string): Promise<DiscountRemoval | undefined> {
  return leases.claim(queryable, leaseUid);
}

const DELETE = `delete from coupon_removal
where coupon_uid = $1`;

export async function deleteDiscountRemoval(queryable: Queryable, couponUid: string): Promise<void> {
  await queryable.execute(DELETE, [couponUid]);
}

/** Postpones a removal to a later attempt. */
export function postponeDiscountRemoval(
  queryable: Queryable,
  { couponUid, leaseUid }: DiscountRemoval,
  waitS: number,
): Promise<void> {
  return leases.postpone(queryable, { uid: couponUid, leaseUid }, waitS);
}
