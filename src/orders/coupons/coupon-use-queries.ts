import type { Queryable, Tx } from "../../db/pool.ts";
import { refOf } from "../../ledger/customer-ref.ts";
import type { NamedLots } from "../../ledger/lots/lot-queries.ts";
import type { CouponUse, StoreOrder } from "../store-order.ts";

/** A locked coupon, as an order needs it. */
export interface LockedCoupon extends CouponUse {
  /** Whether its points were already returned. */
  readonly isReturned: boolean;
}

interface UseRow {
  readonly uid: string;
  readonly code: string;
  readonly points: bigint;
  readonly currencyValue: bigint;
  readonly bucket: number;
  readonly customerUid: string;
  readonly mergedInto: string | null;
  readonly debitVersion: bigint | null;
  readonly isHolderDeleted: boolean;
}

// The present holder of the points of a balance `b`: its customer, or the customer into whom that one was merged.
const JOIN_HOLDER = `left join customer h on h.customer_uid = coalesce(b.merged_into, b.customer_uid)
  and h.bucket = case when b.merged_into is null then b.bucket else ('x' || right(b.merged_into::text, 2))::bit(8)::int end`;

// In one global order, like everything that locks several coupons. A coupon that ended while its customer was deleted returned nothing.
const LOCK_COUPONS = `select c.uid,
  c.code,
  c.point_value as points,
  c.currency_value as "currencyValue",
  c.bucket,
  c.customer_uid as "customerUid",
  b.merged_into as "mergedInto",
  c.debit_version as "debitVersion",
  h.deleted_at is not null as "isHolderDeleted",
  c.returned_points > 0 as "isReturned"
from coupon c
join balance b on b.bucket = c.bucket and b.customer_uid = c.customer_uid
${JOIN_HOLDER}
where c.code = any($1)
order by c.uid
for no key update of c`;

// On Citus the balance is on another node than the coupon: the row is locked first, and read with its holder afterwards.
const LOCK_COUPONS_ALONE = `select c.uid
from coupon c
where c.code = any($1)
order by c.uid
for no key update`;

// The balances are brought first: joined in one statement, Citus would send all customers to each node.
const SELECT_COUPONS = `with b as materialized (
  select b.bucket, b.customer_uid, b.merged_into
  from (
    select distinct c.bucket, c.customer_uid
    from coupon c
    where c.code = any($1)) c
  join balance b on b.bucket = c.bucket and b.customer_uid = c.customer_uid)
${LOCK_COUPONS.replace("join balance b", "join b").replace("\nfor no key update of c", "")}`;

const SELECT_USED = `select u.coupon_uid as uid,
  u.order_id as "orderId"
from coupon_use u
where u.coupon_uid = any($1)`;

const USED_COUPONS = `select u.coupon_uid as uid,
  c.code,
  u.points,
  c.currency_value as "currencyValue",
  u.bucket,
  u.customer_uid as "customerUid",
  b.merged_into as "mergedInto",
  u.debit_version as "debitVersion",
  h.deleted_at is not null as "isHolderDeleted"
from coupon_use u
join coupon c on c.uid = u.coupon_uid
join balance b on b.bucket = u.bucket and b.customer_uid = u.customer_uid
${JOIN_HOLDER}
where u.order_id = $1
order by u.coupon_uid`;
const SELECT_OF_ORDER = {
  plain: USED_COUPONS,
  distributed: `with b as materialized (
  select b.bucket, b.customer_uid, b.merged_into
  from (
    select distinct u.bucket, u.customer_uid
    from coupon_use u
    where u.order_id = $1) u
  join balance b on b.bucket = u.bucket and b.customer_uid = u.customer_uid)
${USED_COUPONS.replace("join balance b", "join b")}`,
};

const INSERT_USE = `insert into coupon_use (coupon_uid, order_id, used_at, is_late, points, bucket, customer_uid, debit_version)
values ($1, $2, $3, $4, $5, $6, $7, $8)`;

const SELECT_OWN_CODES = `select lower(c.code) as code
from coupon c
where c.code = any($1)`;

/** Returns those codes, in lower case, that belong to coupons of this service. */
export async function selectOwnCodes(queryable: Queryable, codes: readonly string[]): Promise<ReadonlySet<string>> {
  if (codes.length === 0) return new Set();
  const rows = await queryable.query<{ code: string }>(SELECT_OWN_CODES, [codes.map((code) => code.toUpperCase())]);
  return new Set(rows.map(({ code }) => code));
}

/** Locks this service's coupons with these codes (in any case) until the transaction ends. */
export async function lockCoupons(tx: Tx, codes: readonly string[]): Promise<LockedCoupon[]> {
  const params = [codes.map((code) => code.toUpperCase())];
  if (tx.shards !== null) await tx.execute(LOCK_COUPONS_ALONE, params);
  const text = tx.shards !== null ? SELECT_COUPONS : LOCK_COUPONS;
  const rows = await tx.query<UseRow & { isReturned: boolean }>(text, params);
  return rows.map(({ isReturned, ...row }) => ({ ...toUse(row), isReturned }));
}

/**
 * Locks the coupons of several orders that are posted in one transaction: all of them before the first balance, otherwise two transactions
 * deadlock.
 */
export async function lockCouponsOf(tx: Tx, orders: readonly Pick<StoreOrder, "facts">[]): Promise<void> {
  const codes = new Set(orders.flatMap(({ facts }) => facts.codes.map(({ code }) => code)));
  if (codes.size > 0) await lockCoupons(tx, [...codes]);
}

/** Returns the orders that used the coupons, by coupon uid. Call it when the coupons are locked. */
export async function selectUsers(queryable: Queryable, couponUids: readonly string[]): Promise<Map<string, string>> {
  const rows = await queryable.query<{ uid: string; orderId: string }>(SELECT_USED, [couponUids]);
  return new Map(rows.map(({ uid, orderId }) => [uid, orderId]));
}

/** Returns the coupons that an order used and the cost of each, by uid. */
export async function selectUses(tx: Tx, orderId: string): Promise<CouponUse[]> {
  const text = SELECT_OF_ORDER[tx.shards === null ? "plain" : "distributed"];
  return (await tx.query<UseRow>(text, [orderId])).map(toUse);
}

const SELECT_RETURNS = `select a.source_key as cause,
  a.bucket,
  a.customer_uid as "customerUid",
  a.version,
  a.point_value as points,
  a.allotted_at as "allottedAt"
from allotment a
where a.source_key = any($1)
  and a.source_key not like 'api/%'`;

/** An allotment by which a coupon's points came back or, below 0, were taken again. */
export interface CouponReturn extends NamedLots {
  readonly points: bigint;
  readonly allottedAt: Temporal.Instant;
}

/** Returns the allotments by which a coupon's points came back and were taken again, by natural key. */
export async function selectReturns(tx: Tx, causes: readonly string[]): Promise<ReadonlyMap<string, CouponReturn>> {
  const rows = await tx.query<CouponReturn & { cause: string }>(SELECT_RETURNS, [causes]);
  return new Map(rows.map(({ cause, ...allotment }) => [cause, allotment]));
}

export interface NewUse {
  readonly orderId: string;
  readonly usedAt: Temporal.Instant;
  readonly isLate: boolean;
}

export async function insertUse(tx: Tx, use: CouponUse, { orderId, usedAt, isLate }: NewUse): Promise<void> {
  const { uid, points, customer, debitVersion } = use;
  const { bucket, customerUid } = customer;
  await tx.execute(INSERT_USE, [uid, orderId, usedAt, isLate, points, bucket, customerUid, debitVersion]);
}

function toUse({ bucket, customerUid, mergedInto, ...row }: UseRow): CouponUse {
  const customer = { bucket, customerUid };
  return { ...row, customer, holder: mergedInto === null ? customer : refOf(mergedInto) };
}
