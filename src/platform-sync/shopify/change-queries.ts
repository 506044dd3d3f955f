import { isLeaseOver, leaseAttempt, leaseEnd } from "../../db/lease.ts";
import type { Queryable, Tx } from "../../db/pool.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import type { Trigger } from "./trigger.ts";

/** Longer than one request takes, throttling included. */
const LEASE_S = 60;

export interface ChangeFeed {
  readonly allottedAt: Temporal.Instant | null;
  readonly allotmentUid: string;
  readonly shopRef: string | null;
  readonly shopDigest: Buffer | null;
  readonly ratesDigest: Buffer | null;
}

// The mark itself, not "now": what settles later is read later.
const OPEN = `insert into platform_feed (allotted_at, allotment_uid)
select m.settled_at, 'ffffffff-ffff-ffff-ffff-ffffffffffff'
from ledger_mark m
on conflict (one) do nothing`;

const MARK_EVERYBODY = `insert into platform_customer (bucket, customer_uid)
select c.bucket, c.customer_uid
from customer c
where c.storefront_id ~ '^[0-9]{1,20}$'
  and c.deleted_at is null
on conflict (bucket, customer_uid) do nothing`;

/** Opens the change feed: from now on settled allotments are synced. The first time, all customers are marked to be synced once. */
export async function openChangeFeed(tx: Tx): Promise<void> {
  if ((await tx.execute(OPEN)) === 1) await tx.execute(MARK_EVERYBODY);
}

const CLOSE = `delete from platform_feed`;
const FORGET = `delete from platform_trigger`;

/** Closes the change feed and drops what was still to be sent. */
export async function closeChangeFeed(tx: Tx): Promise<void> {
  if ((await tx.execute(CLOSE)) > 0) await tx.execute(FORGET);
}

const LOCK = `select f.allotted_at as "allottedAt",
  f.allotment_uid as "allotmentUid",
  f.shop_ref as "shopRef",
  f.shop_digest as "shopDigest",
  f.rates_digest as "ratesDigest"
from platform_feed f
for no key update of f skip locked`;

/** The change feed, locked; undefined: another node has it, or it is closed. */
export async function lockChangeFeed(tx: Tx): Promise<ChangeFeed | undefined> {
  const [row] = await tx.query<ChangeFeed>(LOCK);
  return row;
}

const READ_SETTLED = `select a.uid,
  a.allotted_at as "allottedAt",
  a.bucket,
  a.customer_uid as "customerUid",
  a.version,
  a.point_value <> 0 as "isMoving"
from allotment a
where (a.allotted_at, a.uid) > (coalesce($1::timestamptz, '-infinity'), $2::uuid)
  and a.allotted_at <= (select m.settled_at from ledger_mark m)
order by a.allotted_at, a.uid
limit $3`;

export interface SettledAllotment extends CustomerRef {
  readonly uid: string;
  readonly allottedAt: Temporal.Instant;
  readonly version: bigint;
  readonly isMoving: boolean;
}

/** The next settled allotments of the store after the change feed's position. */
export function readSettledAllotments(
  tx: Tx,
  { allottedAt, allotmentUid }: ChangeFeed,
  limit: number,
): Promise<SettledAllotment[]> {
  return tx.query<SettledAllotment>(READ_SETTLED, [allottedAt, allotmentUid, limit]);
}

const INSERT_TRIGGERS = `insert into platform_trigger (uid, kind, bucket, customer_uid, version, happened_at, is_fed)
select uid, 'points', bucket, customer_uid, version, happened_at, true
from unnest($1::uuid[], $2::smallint[], $3::uuid[], $4::bigint[], $5::timestamptz[])
  as u (uid, bucket, customer_uid, version, happened_at)`;

export async function insertTriggers(tx: Tx, rows: readonly SettledAllotment[]): Promise<void> {
  await tx.execute(INSERT_TRIGGERS, [
    rows.map(({ uid }) => uid),
    rows.map(({ bucket }) => bucket),
    rows.map(({ customerUid }) => customerUid),
    rows.map(({ version }) => version),
    rows.map(({ allottedAt }) => allottedAt),
  ]);
}

const TAKE_TIERS = `update platform_trigger
set is_fed = true
where uid in (
  select w.uid
  from platform_trigger w
  where not w.is_fed
  order by w.uid
  limit $1
  for no key update skip locked)
returning bucket, customer_uid as "customerUid"`;

/** Takes customers whose tier changed since the last call. */
export function takeTierChanges(tx: Tx, limit: number): Promise<CustomerRef[]> {
  return tx.query<CustomerRef>(TAKE_TIERS, [limit]);
}

// Only customers that the platform can know: their ids are digits.
const MARK_STALE = `insert into platform_customer as p (bucket, customer_uid)
select distinct u.bucket, u.customer_uid
from unnest($1::smallint[], $2::uuid[]) as u (bucket, customer_uid)
join customer c on c.bucket = u.bucket and c.customer_uid = u.customer_uid
where c.storefront_id ~ '^[0-9]{1,20}$'
  and c.deleted_at is null
order by u.bucket, u.customer_uid
on conflict (bucket, customer_uid) do update
set stale = p.stale + 1`;

/** Counts a change of each customer: their metafields are to be set again, once for any number of changes. */
export async function markStale(tx: Tx, customers: readonly CustomerRef[]): Promise<void> {
  if (customers.length === 0) return;
  await tx.execute(MARK_STALE, [customers.map((c) => c.bucket), customers.map((c) => c.customerUid)]);
}

const MOVE = `update platform_feed
set allotted_at = $1,
  allotment_uid = $2`;

export async function moveChangeFeed(tx: Tx, to: Pick<SettledAllotment, "allottedAt" | "uid">): Promise<void> {
  await tx.execute(MOVE, [to.allottedAt, to.uid]);
}

const MARK_ALL_STALE = `update platform_customer
set stale = stale + 1`;
const SET_RATES = `update platform_feed
set rates_digest = $1`;

/** Marks all synced customers, since what every metafield depends on has changed. */
export async function markAllStale(tx: Tx, ratesDigest: Buffer): Promise<void> {
  await tx.execute(MARK_ALL_STALE);
  await tx.execute(SET_RATES, [ratesDigest]);
}

const CLAIM_SHOP = `update platform_feed f
set lease_until = ${leaseEnd(LEASE_S)}
where ${isLeaseOver("f")}
  and f.shop_digest is distinct from $1
returning f.shop_ref as "shopRef"`;

/** Leases the shop's metafield where its value has changed; undefined: there is nothing to send. */
export async function claimShop(queryable: Queryable, digest: Buffer): Promise<{ shopRef: string | null } | undefined> {
  const [row] = await queryable.query<{ shopRef: string | null }>(CLAIM_SHOP, [digest]);
  return row;
}

const SAVE_SHOP = `update platform_feed
set shop_ref = $1,
  shop_digest = $2,
  lease_until = '-infinity'`;

export async function saveShop(queryable: Queryable, shopRef: string, digest: Buffer): Promise<void> {
  await queryable.execute(SAVE_SHOP, [shopRef, digest]);
}

const CLAIM_TRIGGERS = `with claimed as (
  update platform_trigger t
  set ${leaseAttempt("t", LEASE_S)}
  where t.uid in (
    select w.uid
    from platform_trigger w
    where ${isLeaseOver("w")}
    order by w.lease_until, w.uid
    limit 1
    for no key update skip locked)
  returning t.*)
select t.uid,
  t.kind,
  t.bucket,
  t.customer_uid as "customerUid",
  c.storefront_id as "storefrontId",
  t.happened_at as "happenedAt",
  t.attempts,
  t.from_uid as "fromUid",
  t.to_uid as "toUid",
  t.from_name as "fromName",
  t.to_name as "toName",
  a.point_value as "pointValue",
  a.balance_after as "balanceAfter",
  a.type,
  a.source_key as "sourceKey",
  a.parent,
  a.object
from claimed t
join customer c on c.bucket = t.bucket and c.customer_uid = t.customer_uid
left join allotment a on a.bucket = t.bucket and a.customer_uid = t.customer_uid and a.version = t.version`;

/** Leases the next trigger to send; undefined: nothing is due. */
export async function claimTrigger(queryable: Queryable): Promise<Trigger | undefined> {
  const [row] = await queryable.query<Trigger>(CLAIM_TRIGGERS);
  return row;
}

const DELETE_TRIGGER = `delete from platform_trigger
where uid = $1`;

export async function deleteTrigger(queryable: Queryable, uid: string): Promise<void> {
  await queryable.execute(DELETE_TRIGGER, [uid]);
}

const POSTPONE_TRIGGER = `update platform_trigger
set lease_until = ${leaseEnd("$2")}
where uid = $1`;

export async function postponeTrigger(queryable: Queryable, uid: string, waitS: number): Promise<void> {
  await queryable.execute(POSTPONE_TRIGGER, [uid, waitS]);
}

const CLAIM_STALE = `with claimed as (
  update platform_customer p
  set ${leaseAttempt("p", LEASE_S)}
  where (p.bucket, p.customer_uid) in (
    select w.bucket, w.customer_uid
    from platform_customer w
    where w.stale > w.told
      and ${isLeaseOver("w")}
    order by w.lease_until
    limit $1
    for no key update skip locked)
  returning p.*)
select p.bucket,
  p.customer_uid as "customerUid",
  c.storefront_id as "storefrontId",
  c.deleted_at is not null as "isDeleted",
  p.stale,
  p.digest,
  p.attempts
from claimed p
join customer c on c.bucket = p.bucket and c.customer_uid = p.customer_uid`;

/** A customer whose metafield is to be set again. */
export interface StaleCustomer extends CustomerRef {
  readonly storefrontId: string;
  readonly isDeleted: boolean;
  readonly stale: bigint;
  readonly digest: Buffer | null;
  readonly attempts: number;
}

export function claimStale(queryable: Queryable, limit: number): Promise<StaleCustomer[]> {
  return queryable.query<StaleCustomer>(CLAIM_STALE, [limit]);
}

// A change that came meanwhile has raised the count: the customer stays stale.
const SAVE_SYNCED = `update platform_customer
set told = $3,
  digest = $4,
  attempts = 0,
  lease_until = '-infinity'
where bucket = $1
  and customer_uid = $2`;

/** Records that the platform has the values of this count of changes. */
export async function saveSynced(queryable: Queryable, customer: StaleCustomer, digest: Buffer | null): Promise<void> {
  await queryable.execute(SAVE_SYNCED, [customer.bucket, customer.customerUid, customer.stale, digest]);
}

const SAVE_UNTIL_HOLD_ENDS = `update platform_customer
set told = $3,
  digest = $4,
  attempts = 0,
  lease_until = ${leaseEnd("$5")}
where bucket = $1
  and customer_uid = $2`;

/** Records that the platform has the values, and that they are to be read again after this many seconds. */
export async function saveUntilHoldEnds(
  queryable: Queryable,
  { bucket, customerUid, stale }: StaleCustomer,
  digest: Buffer,
  waitS: number,
): Promise<void> {
  await queryable.execute(SAVE_UNTIL_HOLD_ENDS, [bucket, customerUid, stale - 1n, digest, waitS]);
}

const POSTPONE_STALE = `update platform_customer
set lease_until = ${leaseEnd("$3")}
where bucket = $1
  and customer_uid = $2`;

export async function postponeStale(queryable: Queryable, customer: StaleCustomer, waitS: number): Promise<void> {
  await queryable.execute(POSTPONE_STALE, [customer.bucket, customer.customerUid, waitS]);
}
