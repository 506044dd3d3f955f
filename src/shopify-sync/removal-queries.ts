import { isLeaseOver, leaseEnd, leasesOf } from "../db/lease.ts";
import type { Queryable } from "../db/pool.ts";
import type { Removal } from "./removal.ts";

/** Longer than the requests of one removal take. */
const LEASE_S = 120;

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
where ${isLeaseOver("l")}
returning ${COLUMNS}`;

/** Writes down that a coupon's code is to go, and takes that; undefined: somebody else is about it. */
export async function beginRemoval(
  queryable: Queryable,
  wanted: { readonly couponUid: string; readonly appReference: string; readonly leaseUid: string },
): Promise<Removal | undefined> {
  const [row] = await queryable.query<Removal>(BEGIN, [wanted.couponUid, wanted.appReference, wanted.leaseUid]);
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

/** Writes down that the codes of all coupons that expired unused are to go, grace included. */
export async function beginExpired(queryable: Queryable, now: Temporal.Instant, leaseUid: string): Promise<number> {
  return queryable.execute(BEGIN_EXPIRED, [now, leaseUid]);
}

const BEGIN_RELEASED = `insert into coupon_removal (coupon_uid, code, discount_ref, state, app_reference, lease_uid, lease_until)
select c.uid, c.code, c.discount_ref, 'cancelled', 'pointkeeper', $2, '-infinity'
from coupon c
where c.uid = any($1)
  and c.discount_ref is not null
on conflict (coupon_uid) do nothing`;

/** Writes down that the codes of these coupons are to go, which left a cart unused. */
export async function beginReleased(tx: Queryable, couponUids: readonly string[], leaseUid: string): Promise<void> {
  await tx.execute(BEGIN_RELEASED, [couponUids, leaseUid]);
}

const SELECT_NEXT_DUE = `select min(c.due_at) as "dueAt"
from coupon c
where c.state = 'open'
  and c.discount_ref is not null
  and not exists (select from coupon_use u where u.coupon_uid = c.uid)
  and not exists (select from coupon_removal r where r.coupon_uid = c.uid)`;

/** When the next code is to go because its coupon expires; null: none is alive. */
export async function selectNextExpiry(queryable: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await queryable.query<{ dueAt: Temporal.Instant | null }>(SELECT_NEXT_DUE);
  return row?.dueAt ?? null;
}

const leases = leasesOf<Removal>({
  update: "update coupon_removal",
  key: "coupon_uid",
  free: `select w.coupon_uid
  from coupon_removal w
  where ${isLeaseOver("w")}
  order by w.lease_until`,
  columns: COLUMNS,
  seconds: LEASE_S,
});

/** Takes a removal that nobody is about; undefined: there is none. */
export function claimRemoval(queryable: Queryable, leaseUid: string): Promise<Removal | undefined> {
  return leases.claim(queryable, leaseUid);
}

const DELETE = `delete from coupon_removal
where coupon_uid = $1`;

export async function deleteRemoval(queryable: Queryable, couponUid: string): Promise<void> {
  await queryable.execute(DELETE, [couponUid]);
}

/** Leaves a removal to a later try. */
export function postponeRemoval(queryable: Queryable, { couponUid, leaseUid }: Removal, waitS: number): Promise<void> {
  return leases.postpone(queryable, { uid: couponUid, leaseUid }, waitS);
}
