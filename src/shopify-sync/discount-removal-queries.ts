import type { Queryable } from "../db/pool.ts";

/** A code that is being removed at the platform, so that its points can be given back (platforms.md 3). */
export interface DiscountRemoval {
  readonly couponUid: string;
  readonly code: string;
  readonly discountRef: string;
  /** What the coupon becomes. */
  readonly state: "cancelled" | "expired";
  readonly appReference: string;
  readonly attempts: number;
  readonly leaseUid: string;
}

/** Longer than the requests of one removal take. */
const LEASE_S = 120;

const COLUMNS = `r.coupon_uid as "couponUid",
  r.code,
  r.discount_ref as "discountRef",
  r.state,
  r.app_reference as "appReference",
  r.lease_uid as "leaseUid",
  r.attempts`;

const BEGIN = `insert into coupon_removal as r (coupon_uid, code, discount_ref, state, app_reference, lease_uid, lease_until)
select c.uid, c.code, c.discount_ref, 'cancelled', $2, $3, clock_timestamp() + make_interval(secs => ${LEASE_S})
from coupon c
where c.uid = $1
on conflict (coupon_uid) do update
set lease_uid = excluded.lease_uid,
  lease_until = excluded.lease_until
where r.lease_until < clock_timestamp()
returning ${COLUMNS}`;

/** Records that a coupon's code is to be removed, and leases that; undefined: another caller is working on it. */
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

/** Records that the codes of all coupons that expired unused, grace included, are to be removed. */
export async function beginExpired(queryable: Queryable, now: Temporal.Instant, leaseUid: string): Promise<number> {
  return queryable.execute(BEGIN_EXPIRED, [now, leaseUid]);
}

const BEGIN_RELEASED = `insert into coupon_removal (coupon_uid, code, discount_ref, state, app_reference, lease_uid, lease_until)
select c.uid, c.code, c.discount_ref, 'cancelled', 'pointkeeper', $2, '-infinity'
from coupon c
where c.uid = any($1)
  and c.discount_ref is not null
on conflict (coupon_uid) do nothing`;

/** Records that the codes of these coupons, which left a cart unused, are to be removed. */
export async function beginReleased(tx: Queryable, couponUids: readonly string[], leaseUid: string): Promise<void> {
  await tx.execute(BEGIN_RELEASED, [couponUids, leaseUid]);
}

const SELECT_NEXT_DUE = `select min(c.due_at) as "dueAt"
from coupon c
where c.state = 'open'
  and c.discount_ref is not null
  and not exists (select from coupon_use u where u.coupon_uid = c.uid)
  and not exists (select from coupon_removal r where r.coupon_uid = c.uid)`;

/** When the next code is to be removed because its coupon expires; null: there is none. */
export async function selectNextExpiry(queryable: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await queryable.query<{ dueAt: Temporal.Instant | null }>(SELECT_NEXT_DUE);
  return row?.dueAt ?? null;
}

const CLAIM_ABANDONED = `update coupon_removal r
set lease_uid = $1,
  lease_until = clock_timestamp() + make_interval(secs => ${LEASE_S}),
  attempts = r.attempts + 1
where r.coupon_uid = (
  select w.coupon_uid
  from coupon_removal w
  where w.lease_until < clock_timestamp()
  order by w.lease_until
  limit 1
  for no key update skip locked)
returning ${COLUMNS}`;

/** Leases a removal that no one is working on; undefined: there is none. */
export async function claimDiscountRemoval(
  queryable: Queryable,
  leaseUid: string,
): Promise<DiscountRemoval | undefined> {
  const [row] = await queryable.query<DiscountRemoval>(CLAIM_ABANDONED, [leaseUid]);
  return row;
}

const DELETE = `delete from coupon_removal
where coupon_uid = $1`;

export async function deleteDiscountRemoval(queryable: Queryable, couponUid: string): Promise<void> {
  await queryable.execute(DELETE, [couponUid]);
}

const POSTPONE = `update coupon_removal
set lease_until = clock_timestamp() + make_interval(secs => $3)
where coupon_uid = $1
  and lease_uid = $2`;

/** Leaves a removal to a later try. */
export async function postponeDiscountRemoval(
  queryable: Queryable,
  { couponUid, leaseUid }: DiscountRemoval,
  waitS: number,
): Promise<void> {
  await queryable.execute(POSTPONE, [couponUid, leaseUid, waitS]);
}
