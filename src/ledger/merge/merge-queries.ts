import type { Queryable, Tx } from "../../db/pool.ts";
import { type CustomerRef, refKeys, refOf } from "../customer-ref.ts";
import type { NamedLots } from "../lots/lot-queries.ts";

const MOVE_HOLDS = `update reservation
set bucket = $3,
  customer_uid = $4,
  moved_at = $5
where bucket = $1
  and customer_uid = $2
  and state = 'held'`;

// Citus cannot move a row to another node: it is inserted there and deleted here.
const COPY_HOLDS = `insert into reservation (bucket, customer_uid, uid, point_value, state, captured_points, captured_version, app_reference,
  held_at, expires_at, ended_at, moved_at)
select $3::smallint, $4::uuid, uid, point_value, state, captured_points, captured_version, app_reference, held_at, expires_at, ended_at,
  $5::timestamptz
from reservation
where bucket = $1
  and customer_uid = $2
  and state = 'held'`;

const REMOVE_HOLDS = `delete from reservation
where bucket = $1
  and customer_uid = $2
  and state = 'held'`;

const MOVE_HOLDS_WITHIN = `update reservation
set customer_uid = $3,
  moved_at = $4
where bucket = $1
  and customer_uid = $2
  and state = 'held'`;

// Holds and debts now belong to the surviving customer: only the ledger itself remains.
const STRIP = `update balance
set held_points = 0,
  held_until = 'infinity',
  owed_points = 0
where bucket = $1
  and customer_uid = $2`;

/**
 * Moves a merged customer's holds to the surviving one, who has them from then on (`moved_at`). Both balances are locked, and the points of
 * neither row are written yet.
 */
export async function moveHolds(
  tx: Tx,
  { removed, kept, at }: { readonly removed: CustomerRef; readonly kept: CustomerRef; readonly at: Temporal.Instant },
): Promise<void> {
  const { bucket, customerUid } = removed;
  const strip = () => tx.execute(STRIP, [bucket, customerUid]);
  if (tx.shards === null) {
    await Promise.all([tx.execute(MOVE_HOLDS, [bucket, customerUid, kept.bucket, kept.customerUid, at]), strip()]);
  } else if (bucket === kept.bucket) {
    await Promise.all([tx.execute(MOVE_HOLDS_WITHIN, [bucket, customerUid, kept.customerUid, at]), strip()]);
  } else {
    await Promise.all([
      tx.execute(COPY_HOLDS, [bucket, customerUid, kept.bucket, kept.customerUid, at]),
      tx.execute(REMOVE_HOLDS, [bucket, customerUid]),
      strip(),
    ]);
  }
}

const READ_MERGED = `select b.bucket,
  b.customer_uid as "customerUid",
  b.merged_into as "keptUid"
from balance b
where b.merged_into = any($1)
order by b.customer_uid`;

/** Returns the customers who have been merged into a customer, directly or through others. */
export function readMerged(queryable: Queryable, customer: CustomerRef): Promise<CustomerRef[]> {
  return readMergedInto(queryable, [customer]);
}

/** A customer who has been merged into another. */
export interface MergedCustomer extends CustomerRef {
  readonly keptUid: string;
}

/** The same for several customers. */
export function readMergedInto(queryable: Queryable, customers: readonly CustomerRef[]): Promise<MergedCustomer[]> {
  return queryable.query<MergedCustomer>(READ_MERGED, [customers.map(({ customerUid }) => customerUid)]);
}

// materialized: Citus then finds the customers of these rows by key
const READ_JOINED = `with b as materialized (
  select bucket, customer_uid, merged_into
  from balance
  where merged_into = any($1))
select b.customer_uid as "customerUid",
  b.merged_into as "keptUid",
  c.deleted_at as "deletedAt"
from b
join customer c on c.bucket = b.bucket and c.customer_uid = b.customer_uid`;

// A customer who was deleted before keeps the time of the deletion. The bounds hold in every collation: some ignore the slashes of a key.
const READ_CARRIED_SINCE = `select distinct a.customer_uid as "customerUid"
from unnest($1::smallint[], $2::uuid[], $3::uuid[]) as k (bucket, customer_uid, removed_uid)
join allotment a on a.bucket = k.bucket and a.customer_uid = k.customer_uid
where a.source_key > 'merge/' || k.removed_uid
  and a.source_key < 'merge/' || k.removed_uid || 'a'
  and a.source_key not like 'api/%'
  and a.allotted_at >= $4`;

interface Joined {
  readonly customerUid: string;
  readonly keptUid: string;
  readonly deletedAt: Temporal.Instant;
}

/**
 * Returns the uids of those customers into whom others were merged at or after a time. Of customers who had been deleted before that time, only those
 * count whose points a merge brought back since.
 */
export async function selectJoinedSince(
  queryable: Queryable,
  refs: readonly CustomerRef[],
  since: Temporal.Instant,
): Promise<ReadonlySet<string>> {
  const rows = await queryable.query<Joined>(READ_JOINED, [refs.map(({ customerUid }) => customerUid)]);
  const isSince = ({ deletedAt }: Joined) => Temporal.Instant.compare(deletedAt, since) >= 0;
  const joined = new Set(rows.filter(isSince).map(({ keptUid }) => keptUid));
  const others = rows.filter(({ keptUid }) => !joined.has(keptUid));
  if (others.length === 0) return joined;
  const carried = await queryable.query<{ customerUid: string }>(READ_CARRIED_SINCE, [
    ...refKeys(others.map(({ keptUid }) => refOf(keptUid))),
    others.map(({ customerUid }) => customerUid),
    since,
  ]);
  return new Set([...joined, ...carried.map(({ customerUid }) => customerUid)]);
}

const READ_HOLDERS = `select b.customer_uid as "customerUid",
  b.merged_into as "mergedInto"
from unnest($1::smallint[], $2::uuid[]) as w (bucket, customer_uid)
join balance b on b.bucket = w.bucket and b.customer_uid = w.customer_uid
where b.merged_into is not null`;

// For several customers, the buckets would lead a Citus's workers to read whole shards.
const READ_HOLDER = `${READ_HOLDERS}
  and b.bucket = any($1)`;

/**
 * Returns the present holders of customers' points, by customer uid: for customers who were merged, the surviving one. Customers who were not
 * merged are absent.
 */
export async function readHolders(
  queryable: Queryable,
  refs: readonly CustomerRef[],
): Promise<ReadonlyMap<string, CustomerRef>> {
  if (refs.length === 0) return new Map();
  const text = refs.length === 1 && (await queryable.isDistributed()) ? READ_HOLDER : READ_HOLDERS;
  const rows = await queryable.query<{ customerUid: string; mergedInto: string }>(text, [
    refs.map((ref) => ref.bucket),
    refs.map((ref) => ref.customerUid),
  ]);
  return new Map(rows.map(({ customerUid, mergedInto }) => [customerUid, refOf(mergedInto)]));
}

const READ_DELETED = `select c.customer_uid as "customerUid"
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join customer c on c.bucket = k.bucket and c.customer_uid = k.customer_uid
where c.deleted_at is not null`;

/** Returns the uids of those customers who were deleted, or have been merged into another. */
export async function readDeleted(queryable: Queryable, refs: readonly CustomerRef[]): Promise<ReadonlySet<string>> {
  if (refs.length === 0) return new Set();
  const keys = refKeys(refs);
  const rows = await queryable.query<{ customerUid: string }>(READ_DELETED, keys);
  return new Set(rows.map(({ customerUid }) => customerUid));
}

const READ_WRITE_OFFS = `select a.version
from allotment a
where a.bucket = $1
  and a.customer_uid = $2
  and a.type = 'deletion'
order by a.version`;

/** Returns the versions of the allotments that wrote a deleted customer's balance off. */
export async function readWriteOffs(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
): Promise<readonly bigint[]> {
  const rows = await queryable.query<{ version: bigint }>(READ_WRITE_OFFS, [bucket, customerUid]);
  return rows.map(({ version }) => version);
}

const READ_WRITTEN_OFF = `select d.customer_uid as "customerUid",
  sum(d.points)::bigint as points
from unnest($1::smallint[], $2::uuid[], $3::bigint[]) as w (bucket, customer_uid, version)
join draw d on d.bucket = w.bucket and d.customer_uid = w.customer_uid and d.lot_version = w.version
join allotment a on a.bucket = d.bucket and a.customer_uid = d.customer_uid and a.version = d.by_version
where a.type = 'deletion'
group by d.customer_uid`;

/** Returns how many points of some allotments' lots were written off with their deleted customers, by customer. */
export async function readWrittenOff(
  queryable: Queryable,
  named: readonly Pick<NamedLots, "bucket" | "customerUid" | "version">[],
): Promise<ReadonlyMap<string, bigint>> {
  if (named.length === 0) return new Map();
  const rows = await queryable.query<{ customerUid: string; points: bigint }>(READ_WRITTEN_OFF, [
    named.map(({ bucket }) => bucket),
    named.map(({ customerUid }) => customerUid),
    named.map(({ version }) => version),
  ]);
  return new Map(rows.map(({ customerUid, points }) => [customerUid, points]));
}
