import { selectCustomer } from "../customers/customer-queries.ts";
import type { Param } from "../db/encode-param.ts";
import type { Queryable, Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { readHolders } from "../ledger/merge/merge-queries.ts";
import { Problem } from "../problems.ts";
import type { Coupon, CouponStanding } from "./coupon.ts";

const COLUMNS = `c.uid,
  c.code,
  c.bucket,
  c.customer_uid as "customerUid",
  c.point_value as "pointValue",
  c.currency_value as "currencyValue",
  c.product_ids as "productIds",
  c.state,
  c.returned_points as "returnedPoints",
  c.debit_version as "debitVersion",
  c.expires_at as "expiresAt"`;

type CouponRow = Omit<Coupon, "customer"> & { readonly bucket: number; readonly customerUid: string };

function toCoupon<Row extends CouponRow>({ bucket, customerUid, ...row }: Row) {
  return { ...row, customer: { bucket, customerUid } };
}

const SELECT_STANDING = `select ${COLUMNS},
  c.discount_ref as "discountRef",
  u.order_id as "usedBy",
  coalesce(u.is_late, false) as "isLate",
  coalesce((
    select sum(p.taken)
    from order_posting p
    where p.order_id = u.order_id
      and p.cause like 'coupon_return/' || c.uid || '/%'), 0)::bigint as "reimbursedPoints"
from coupon c
left join coupon_use u on u.coupon_uid = c.uid
where c.code = upper($1)`;

/** Returns a coupon by its code, in any case. */
export async function selectStanding(queryable: Queryable, code: string): Promise<CouponStanding | undefined> {
  const [row] = await queryable.query<CouponRow & CouponStanding>(SELECT_STANDING, [code]);
  return row && toCoupon(row);
}

const LOCK_BY_CODE = `select c.uid
from coupon c
where c.code = upper($1)
for no key update of c`;

/** Locks a coupon until the transaction ends; whether it was used is read by a later statement. */
export async function lockByCode(tx: Tx, code: string): Promise<void> {
  await tx.query(LOCK_BY_CODE, [code]);
}

const LOCK_BY_DISCOUNT = `select ${COLUMNS},
  c.discount_ref as "discountRef"
from coupon c
where c.discount_ref = $1
  or c.code = upper($2)
order by c.uid
for no key update of c`;

/** Locks the coupons that a platform names by its discount or by the code. */
export async function lockByDiscount(
  tx: Tx,
  discountRef: string | null,
  code: string | null,
): Promise<(Coupon & Pick<CouponStanding, "discountRef">)[]> {
  const rows = await tx.query<CouponRow & Pick<CouponStanding, "discountRef">>(LOCK_BY_DISCOUNT, [discountRef, code]);
  return rows.map(toCoupon);
}

/**
 * SQL: due coupons that end without the platform. A coupon whose code still works there ends when the code is removed, unless an order used it.
 */
export const ENDS_HERE = `(c.discount_ref is null
    or exists (select from coupon_use u where u.coupon_uid = c.uid))`;

const LOCK_DUE = `select ${COLUMNS}
from coupon c
where c.state = 'open'
  and c.due_at <= $1
  and c.uid <> all($2::uuid[])
  and ($3 or ${ENDS_HERE})
order by c.due_at, c.uid
limit 1
for no key update of c skip locked`;

/**
 * Locks the open coupon whose grace period ended first, except those seen and those that another process is processing. `isAlone`: the
 * platform cannot be called, so only the date of its codes is known.
 */
export async function lockDue(
  tx: Tx,
  {
    now,
    seen,
    isAlone,
  }: { readonly now: Temporal.Instant; readonly seen: readonly string[]; readonly isAlone: boolean },
): Promise<Coupon | undefined> {
  const [row] = await tx.query<CouponRow>(LOCK_DUE, [now, seen, isAlone]);
  return row && toCoupon(row);
}

const SELECT_USED = `select u.coupon_uid as uid
from coupon_use u
where u.coupon_uid = any($1)`;

/** Returns which of the coupons, which must be locked, an order has used. */
export async function selectUsed(tx: Tx, coupons: readonly Coupon[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ uid: string }>(SELECT_USED, [coupons.map(({ uid }) => uid)]);
  return new Set(rows.map(({ uid }) => uid));
}

/** Returns who gets a coupon's returned points: its customer, or the one into whom that customer was merged; null: deleted. */
export async function selectHolder(tx: Tx, { customer }: Coupon): Promise<CustomerRef | null> {
  const holder = (await readHolders(tx, [customer])).get(customer.customerUid) ?? customer;
  return (await selectCustomer(tx, holder))?.deletedAt === null ? holder : null;
}

const INSERT_COUPON = `insert into coupon (uid, code, bucket, customer_uid, point_value, currency_value, product_ids, debit_version,
  issued_at, expires_at, due_at, discount_ref)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
on conflict (code) do nothing`;

/** Inserts a coupon, with the platform's name of it if it is known there; false: its code is taken. */
export async function insertCoupon(
  tx: Tx,
  coupon: Coupon,
  made: { readonly issuedAt: Temporal.Instant; readonly dueAt: Temporal.Instant; readonly discountRef: string | null },
): Promise<boolean> {
  const params: Param[] = [
    coupon.uid,
    coupon.code,
    coupon.customer.bucket,
    coupon.customer.customerUid,
    coupon.pointValue,
    coupon.currencyValue,
    coupon.productIds,
    coupon.debitVersion,
    made.issuedAt,
    coupon.expiresAt,
    made.dueAt,
    made.discountRef,
  ];
  return (await tx.execute(INSERT_COUPON, params)) === 1;
}

const CLOSE = `update coupon
set state = $2,
  returned_points = $3
where uid = $1`;

export async function closeCoupon(
  tx: Tx,
  uid: string,
  closed: Pick<Coupon, "state" | "returnedPoints">,
): Promise<void> {
  await tx.execute(CLOSE, [uid, closed.state, closed.returnedPoints]);
}

const MARK_RELEASED = `update coupon
set released_at = $2
where uid = $1`;

/** Records that a coupon's code left a cart: it is to be removed. */
export async function markReleased(tx: Tx, uid: string, at: Temporal.Instant): Promise<void> {
  await tx.execute(MARK_RELEASED, [uid, at]);
}

// Not before the use that ends, whose time may be of a node with another clock.
const MARK_RELEASED_OF = `update coupon c
set released_at = greatest($2, u.used_at)
from coupon_use u
where u.order_id = $1
  and c.uid = u.coupon_uid
  and c.state = 'open'
  and c.discount_ref is not null`;

/**
 * Records the same of the codes that an order used which is over: some platforms (WooCommerce) then let a code be used again. Their points came
 * back, or come back with a merge, if their customer is deleted. The order must be locked.
 */
export async function markReleasedOf(tx: Tx, orderId: string, at: Temporal.Instant): Promise<void> {
  await tx.execute(MARK_RELEASED_OF, [orderId, at]);
}

// A use that is not later than the release is of an order that is over (`markReleasedOf`).
const TAKE_RELEASED = `update coupon c
set released_at = null
from (
  select uid, released_at
  from coupon
  where released_at is not null
  order by released_at, uid
  limit $1
  for no key update skip locked) r
where c.uid = r.uid
returning c.uid,
  c.state in ('open', 'used')
    and not exists (
      select from coupon_use u where u.coupon_uid = c.uid and u.used_at > r.released_at) as "isFree"`;

/**
 * Takes at most `rowsMax` coupons whose codes left a cart, or whose order is over, each once, and returns those that no order has used
 * since: the caller has their codes removed.
 */
export async function takeReleased(tx: Tx, rowsMax: number): Promise<string[]> {
  const rows = await tx.query<{ uid: string; isFree: boolean }>(TAKE_RELEASED, [rowsMax]);
  return rows.flatMap(({ uid, isFree }) => (isFree ? [uid] : []));
}

/** Returns the coupon of a code in any case (program.md 2). Throws `coupon_not_found`. */
export async function readCoupon(queryable: Queryable, code: string): Promise<CouponStanding> {
  const coupon = await selectStanding(queryable, code);
  if (coupon === undefined) throw new Problem("coupon_not_found");
  return coupon;
}
