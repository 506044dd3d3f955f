import type { Queryable, Tx } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";

// `moved_points`: the points that other apps' files gave to customers. Imports that were undone, or are being undone, do not count.

/** Points that a customer has received from another app's file. */
export interface MovedPoints {
  readonly customerUid: string;
  readonly points: bigint;
  /** The move, the app's name, and when it was started. */
  readonly moveUid: string;
  readonly source: string;
  readonly at: Temporal.Instant;
}

const SELECT = `select m.customer_uid as "customerUid",
  m.points,
  i.options -> 'move' ->> 'uid' as "moveUid",
  i.options -> 'move' ->> 'source' as source,
  i.started_at as "at"
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join moved_points m on m.bucket = k.bucket and m.customer_uid = k.customer_uid
join import i on i.uid = m.import_uid
where i.state in ('importing', 'imported')
  and m.points > 0
  and i.options -> 'move' ->> 'uid' <> $3`;

const FIND_ANY = `select
from import i
where i.kind = 'points'
  and i.state in ('importing', 'imported')
  and i.options -> 'move' ->> 'uid' <> $1
limit 1`;

// Customers who were merged are in other buckets than the surviving one: those who are older than the file are found apart. So are orders. A
// customer is created here when a platform's history is read, however old they are. Materialized: Citus then finds the merged ones by key (decision 93).
const SELECT_NEWER = `with merged as materialized (
  select b.bucket, b.customer_uid, b.merged_into
  from balance b
  where b.merged_into = any($2::uuid[]))
select k.customer_uid as "customerUid"
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join customer c on c.bucket = k.bucket and c.customer_uid = k.customer_uid
where c.created_at > $3
  and not exists (
    select
    from moved_points m
    join import i on i.uid = m.import_uid
    where m.bucket = c.bucket
      and m.customer_uid = c.customer_uid
      and m.points > 0
      and i.state in ('importing', 'imported')
      and i.options -> 'move' ->> 'uid' <> $4)
  and k.customer_uid not in (
    select b.merged_into
    from merged b
    join customer o on o.bucket = b.bucket and o.customer_uid = b.customer_uid
    where o.created_at <= $3)
  and k.customer_uid not in (
    select p.customer_uid
    from store_order p
    where p.bucket = any($1::smallint[])
      and p.customer_uid = any($2::uuid[])
      and p.processed_at <= $3)`;

// Rows of one customer in one import are added.
const INSERT = `insert into moved_points as m (bucket, customer_uid, import_uid, points)
select k.bucket, k.customer_uid, $1, sum(k.points)
from unnest($2::smallint[], $3::uuid[], $4::bigint[]) as k (bucket, customer_uid, points)
group by k.bucket, k.customer_uid
on conflict (bucket, customer_uid, import_uid) do update
set points = m.points + excluded.points`;

const DROP = `delete from moved_points m
using unnest($2::smallint[], $3::uuid[]) as k (bucket, customer_uid)
where m.bucket = k.bucket
  and m.customer_uid = k.customer_uid
  and m.import_uid = $1`;

const COPY = `insert into moved_points as m (bucket, customer_uid, import_uid, points)
select $3::smallint, $4::uuid, import_uid, points
from moved_points
where bucket = $1
  and customer_uid = $2
on conflict (bucket, customer_uid, import_uid) do update
set points = m.points + excluded.points`;

const REMOVE = `delete from moved_points
where bucket = $1
  and customer_uid = $2`;

const SELECT_SPENT = `select k.customer_uid as "customerUid"
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where exists (
  select
  from customer_spend_base b
  join import i on i.uid = b.import_uid
  where b.bucket = k.bucket
    and b.customer_uid = k.customer_uid
    and i.state in ('importing', 'imported')
    and (i.options ->> 'addsOnly')::boolean
    and i.options -> 'move' ->> 'source' = $3
    and i.options -> 'move' ->> 'uid' <> $4)`;

/** Returns what some customers have received from moves other than this one. */
export function selectMovedPoints(
  queryable: Queryable,
  refs: readonly CustomerRef[],
  moveUid: string,
): Promise<MovedPoints[]> {
  return queryable.query<MovedPoints>(SELECT, [...refKeys(refs), moveUid]);
}

/**
 * Returns those customers of whom the file of a move states nothing: they and all who were merged into them were created after its upload, they have
 * no order from before it, and no other move, of any app, gave them points. Their balances are locked.
 */
export async function selectNewerThan(
  tx: Tx,
  refs: readonly CustomerRef[],
  move: { readonly uid: string; readonly uploadedAt: Temporal.Instant },
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ customerUid: string }>(SELECT_NEWER, [...refKeys(refs), move.uploadedAt, move.uid]);
  return new Set(rows.map(({ customerUid }) => customerUid));
}

/** Whether another move gave, or is giving, any points. */
export async function hasOtherMoves(queryable: Queryable, moveUid: string): Promise<boolean> {
  return (await queryable.query(FIND_ANY, [moveUid])).length > 0;
}

/** Returns the customers whose spend another move of the same app has imported with its file of customers. */
export async function selectMovedSpend(
  tx: Tx,
  refs: readonly CustomerRef[],
  { uid, source }: { readonly uid: string; readonly source: string },
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ customerUid: string }>(SELECT_SPENT, [...refKeys(refs), source, uid]);
  return new Set(rows.map(({ customerUid }) => customerUid));
}

/** Stores what an import of a move gave, in the transaction that gives it, under the locks of the balances. */
export async function insertMovedPoints(
  tx: Tx,
  importUid: string,
  given: readonly { readonly customer: CustomerRef; readonly points: bigint }[],
): Promise<void> {
  if (given.length === 0) return;
  const keys = refKeys(given.map(({ customer }) => customer));
  await tx.execute(INSERT, [importUid, ...keys, given.map(({ points }) => points)]);
}

/** Removes the record of what an import gave to some customers, because it is taken back. */
export async function dropMovedPoints(tx: Tx, importUid: string, refs: readonly CustomerRef[]): Promise<void> {
  await tx.execute(DROP, [importUid, ...refKeys(refs)]);
}

/** Transfers what a merged customer received to the surviving one. Both balances are locked. Returns whether there was anything. */
export async function mergeMovedPoints(tx: Tx, removed: CustomerRef, kept: CustomerRef): Promise<boolean> {
  const from = [removed.bucket, removed.customerUid];
  await tx.execute(COPY, [...from, kept.bucket, kept.customerUid]);
  return (await tx.execute(REMOVE, from)) > 0;
}
