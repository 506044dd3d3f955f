import type { Queryable, Tx } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";
import {
  type CustomerMetrics,
  expiringText,
  type MetricsBalance,
  type MetricsChange,
  parseExpiring,
} from "./customer-metrics.ts";
import { bookmarkParams, type SettledRange } from "./range-queries.ts";
import type { LedgerBookmark } from "./rollup.ts";

/** How far the customers' metrics are calculated. */
export interface MetricsState extends LedgerBookmark {
  readonly rules: string;
  readonly isComplete: boolean;
  /** The progress of the walk through all balances; null where no walk is running. */
  readonly walkBucket: number | null;
  readonly walkUid: string | null;
  readonly walkedAt: Temporal.Instant | null;
  /** The settled mark when the present or the last walk began. */
  readonly walkFrom: Temporal.Instant | null;
  /** The customers' sums have what was allotted up to here; null: not all customers were summed yet. */
  readonly summedAt: Temporal.Instant | null;
}

const SELECT_STATE = `select allotted_at as "allottedAt",
  allotment_uid as "allotmentUid",
  rules,
  is_complete as "isComplete",
  walk_bucket as "walkBucket",
  walk_uid as "walkUid",
  walked_at as "walkedAt",
  walk_from as "walkFrom",
  summed_at as "summedAt"
from figure_standing`;

export async function selectMetricsState(queryable: Queryable): Promise<MetricsState> {
  return only(await queryable.query<MetricsState>(SELECT_STATE));
}

/** Reads the state and locks it for the transaction that may change it. */
export async function lockMetricsState(tx: Tx): Promise<MetricsState> {
  return only(await tx.query<MetricsState>(`${SELECT_STATE} for update`));
}

function only([state]: readonly MetricsState[]): MetricsState {
  if (state === undefined) throw new Error("figure_standing has no row: its migration makes it");
  return state;
}

const UPDATE_STATE = `update figure_standing
set allotted_at = $1,
  allotment_uid = $2,
  rules = $3,
  is_complete = $4,
  walk_bucket = $5,
  walk_uid = $6,
  walked_at = $7,
  walk_from = $8,
  summed_at = $9`;

export function updateMetricsState(tx: Tx, state: MetricsState) {
  const { rules, isComplete, walkBucket, walkUid, walkedAt, walkFrom, summedAt } = state;
  const walk = [walkBucket, walkUid, walkedAt, walkFrom, summedAt];
  return tx.execute(UPDATE_STATE, [...bookmarkParams(state), rules, isComplete, ...walk]);
}

const FORGET = [
  "truncate figure_customer",
  "truncate figure_large",
  "delete from figure_active",
  "delete from figure_expiry",
  `update figure_standing
set rules = '', is_complete = false, walk_bucket = null, walk_uid = null, walked_at = null, walk_from = null, summed_at = null`,
];

export async function clearCustomerMetrics(tx: Tx): Promise<void> {
  for (const text of FORGET) await tx.execute(text);
}

/** A balance of the walk. */
export interface WalkedBalance extends CustomerRef {
  readonly version: bigint;
}

const WALK = `select b.bucket,
  b.customer_uid as "customerUid",
  b.version
from balance b
where (b.bucket, b.customer_uid) > ($1::smallint, $2::uuid)
order by b.bucket, b.customer_uid
limit $3`;

/** The next balances of the walk, in key order. */
export function selectWalkPage(tx: Tx, after: CustomerRef, rows: number): Promise<WalkedBalance[]> {
  return tx.query<WalkedBalance>(WALK, [after.bucket, after.customerUid, rows]);
}

/** A balance with this number of lots is large: recalculating it takes long enough to require a pause. */
export const LARGE_LOTS = 500;
/** A large balance is paused for one millisecond per lot after each recalculation, which then takes at most a hundredth of a processor. */
const IS_IN_PAUSE = "f.looked_at + f.lots * interval '1 millisecond' > now()";

const IN_RANGE = `select distinct a.bucket,
  a.customer_uid as "customerUid"
from allotment a
where (a.allotted_at, a.uid) > ($1::timestamptz, $2::uuid)
  and (a.allotted_at, a.uid) <= ($3::timestamptz, $4::uuid)`;

const POSTPONE = `update figure_large f
set is_due = true
from unnest($1::smallint[], $2::uuid[]) as c (bucket, customer_uid)
where f.bucket = c.bucket
  and f.customer_uid = c.customer_uid
  and ${IS_IN_PAUSE}
returning f.customer_uid as "customerUid"`;

/** The customers whose balances a range of allotments changed. Large balances in their pause are left to `selectLargeDue`. */
export async function selectChanged(tx: Tx, { from, to }: SettledRange): Promise<CustomerRef[]> {
  const changed = await tx.query<CustomerRef>(IN_RANGE, [...bookmarkParams(from), ...bookmarkParams(to)]);
  if (changed.length === 0) return changed;
  const postponed = await tx.query<{ customerUid: string }>(POSTPONE, refKeys(changed));
  const later = new Set(postponed.map(({ customerUid }) => customerUid));
  return changed.filter(({ customerUid }) => !later.has(customerUid));
}

const LARGE_DUE = `select f.bucket,
  f.customer_uid as "customerUid"
from figure_large f
where f.is_due
  and not (${IS_IN_PAUSE})
order by f.bucket, f.customer_uid
limit $1`;

/** Returns the large balances that changed since they were recalculated and whose pause is over. */
export function selectLargeDue(tx: Tx, rows: number): Promise<CustomerRef[]> {
  return tx.query<CustomerRef>(LARGE_DUE, [rows]);
}

const KEEP_LARGE = `with looked as (
  select *
  from unnest($1::smallint[], $2::uuid[], $3::integer[]) as u (bucket, customer_uid, lots)),
small as (
  delete from figure_large f
  using looked u
  where f.bucket = u.bucket
    and f.customer_uid = u.customer_uid
    and u.lots < $4)
insert into figure_large as f (bucket, customer_uid, lots, looked_at, is_due)
select u.bucket, u.customer_uid, u.lots, now(), false
from looked u
where u.lots >= $4
on conflict (bucket, customer_uid) do update
set lots = excluded.lots,
  looked_at = excluded.looked_at,
  is_due = false`;

/** Stores which of the recalculated balances are large, and when their pause began. */
export function saveLargeBalances(
  tx: Tx,
  customers: readonly CustomerRef[],
  balances: ReadonlyMap<string, ReadMetricsBalance>,
) {
  const lots = customers.map(({ customerUid }) => balances.get(customerUid)?.lotCount ?? 0);
  return tx.execute(KEEP_LARGE, [...refKeys(customers), lots, LARGE_LOTS]);
}

// Lots that expire together are one row: where dates slide ($3), all without one that stood at the last activity.
const SINCE = `case when $3 and l.expires_at = 'infinity' then greatest(l.since, b.active_at) else l.since end`;
const BALANCES = `select b.customer_uid as "customerUid",
  b.active_at as "activeAt",
  l.expires_at as "expiresAt",
  ${SINCE} as since,
  sum(l.remaining)::bigint as remaining,
  count(l.version)::integer as "lotCount"
from (
  select bucket, customer_uid
  from customer
  where (bucket, customer_uid) in (select * from unnest($1::smallint[], $2::uuid[]))
    and deleted_at is null) c
join balance b on b.bucket = c.bucket and b.customer_uid = c.customer_uid
left join lot l on l.bucket = b.bucket and l.customer_uid = b.customer_uid
where b.merged_into is null
group by b.customer_uid, b.active_at, l.expires_at, ${SINCE}`;

/** A balance, and the number of lots that were read for it. */
export interface ReadMetricsBalance extends MetricsBalance {
  readonly lotCount: number;
}

/**
 * The present balances by customer, each read at one moment. Under sliding expiry, lots that expire together are summed. Merged and deleted
 * customers are left out.
 */
export async function selectBalances(
  queryable: Queryable,
  customers: readonly CustomerRef[],
  { isSliding }: { readonly isSliding: boolean },
): Promise<Map<string, ReadMetricsBalance>> {
  type Row = {
    customerUid: string;
    activeAt: Temporal.Instant | null;
    expiresAt: Temporal.Instant | null;
    since: Temporal.Instant | null;
    remaining: bigint | null;
    lotCount: number;
  };
  const rows = await queryable.query<Row>(BALANCES, [...refKeys(customers), isSliding]);
  return new Map(
    [...Map.groupBy(rows, ({ customerUid }) => customerUid)].map(([uid, own]) => [
      uid,
      {
        activeAt: own[0]?.activeAt ?? null,
        lotCount: own.reduce((sum, { lotCount }) => sum + lotCount, 0),
        lots: own.flatMap(({ expiresAt, since, remaining }) =>
          since === null || remaining === null ? [] : [{ expiresAt, since, remaining }],
        ),
      },
    ]),
  );
}

const COUNTED = `select f.customer_uid as "customerUid",
  f.active_on as "activeOn",
  f.expiring,
  f.points_class as "pointsClass",
  f.class_points as "classPoints"
from unnest($1::smallint[], $2::uuid[]) as u (bucket, customer_uid)
join figure_customer f on f.bucket = u.bucket and f.customer_uid = u.customer_uid`;

/** Returns the stored metrics by customer; a customer without a row has no metrics. */
export async function selectCustomerMetrics(
  queryable: Queryable,
  customers: readonly CustomerRef[],
): Promise<Map<string, CustomerMetrics>> {
  type Row = Omit<CustomerMetrics, "expiring"> & { readonly customerUid: string; readonly expiring: string };
  const rows = await queryable.query<Row>(COUNTED, refKeys(customers));
  return new Map(
    rows.map(({ customerUid, expiring, ...row }) => [customerUid, { ...row, expiring: parseExpiring(expiring) }]),
  );
}

const KEEP = `insert into figure_customer as f (bucket, customer_uid, active_on, expiring, points_class, class_points)
select u.bucket, u.customer_uid, u.active_on, u.expiring, u.points_class, u.class_points
from unnest($1::smallint[], $2::uuid[], $3::date[], $4::text[], $5::smallint[], $6::bigint[]) as u (bucket, customer_uid, active_on,
  expiring, points_class, class_points)
order by u.bucket, u.customer_uid
on conflict (bucket, customer_uid) do update
set active_on = excluded.active_on,
  expiring = excluded.expiring,
  points_class = excluded.points_class,
  class_points = excluded.class_points`;

const FORGET_SOME = `delete from figure_customer f
using unnest($1::smallint[], $2::uuid[]) as u (bucket, customer_uid)
where f.bucket = u.bucket
  and f.customer_uid = u.customer_uid`;

/** Stores customers' metrics and deletes the rows of customers without metrics. */
export async function writeCustomerMetrics(
  tx: Tx,
  metrics: readonly { readonly customer: CustomerRef; readonly metrics: CustomerMetrics }[],
): Promise<void> {
  const rows = metrics.map(({ customer, metrics }) => ({
    customer,
    activeOn: metrics.activeOn,
    expiring: expiringText(metrics.expiring),
    pointsClass: metrics.pointsClass,
    classPoints: metrics.classPoints,
  }));
  const isNothing = ({ activeOn, expiring, pointsClass }: (typeof rows)[number]) =>
    activeOn === null && expiring === "" && pointsClass === null;
  const kept = rows.filter((row) => !isNothing(row));
  const gone = rows.filter(isNothing);
  await Promise.all([
    tx.execute(KEEP, [
      ...refKeys(kept.map(({ customer }) => customer)),
      kept.map(({ activeOn }) => activeOn),
      kept.map(({ expiring }) => expiring),
      kept.map(({ pointsClass }) => pointsClass),
      kept.map(({ classPoints }) => classPoints),
    ]),
    tx.execute(FORGET_SOME, [...refKeys(gone.map(({ customer }) => customer))]),
  ]);
}

const ADD_ACTIVE = `insert into figure_active as f (day, customers)
select *
from unnest($1::date[], $2::bigint[])
on conflict (day) do update
set customers = f.customers + excluded.customers`;

const ADD_EXPIRING = `insert into figure_expiry as f (month, points)
select *
from unnest($1::integer[], $2::numeric[])
on conflict (month) do update
set points = f.points + excluded.points`;

export async function addToSums(tx: Tx, { active, expiring }: MetricsChange): Promise<void> {
  await Promise.all([
    tx.execute(ADD_ACTIVE, [[...active.keys()], [...active.values()]]),
    tx.execute(ADD_EXPIRING, [[...expiring.keys()], [...expiring.values()]]),
  ]);
}
