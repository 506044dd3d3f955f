import type { Queryable } from "../db/pool.ts";
import { ALL_TIERS } from "./sale-sums.ts";

/** The totals of orders, of a run or of a period. Money in minor units. */
export interface ResultSums {
  readonly orders: bigint;
  readonly revenue: bigint;
  readonly points: bigint;
}

export interface RunResult extends ResultSums {
  readonly id: string;
  readonly key: string;
  readonly kind: "campaign" | "bonus";
  readonly name: string;
  /** The last version of the program that has the run. */
  readonly programVersion: number;
  readonly startsAt: Temporal.Instant | null;
  readonly endsAt: Temporal.Instant | null;
  /** Whether the newest program version that was read still has the run. */
  readonly isInProgram: boolean;
  readonly customers: bigint;
  /** The part of `points` that only the run gave. */
  readonly extra: bigint;
}

export interface TierResult extends ResultSums {
  readonly tierUid: string;
  readonly customers: bigint;
  readonly extra: bigint;
}

const SUMS = `coalesce(s.orders, 0) as orders,
  coalesce(s.customers, 0) as customers,
  coalesce(s.revenue, 0)::text as revenue,
  coalesce(s.points, 0)::text as points,
  coalesce(s.extra, 0)::text as extra`;

const RUN = `select md5(r.run) as id,
  r.run as key,
  r.kind,
  r.name,
  r.program_version as "programVersion",
  r.starts_at as "startsAt",
  r.ends_at as "endsAt",
  r.program_version = g.program_version as "isInProgram",
  ${SUMS}
from sale_run r
cross join sale_standing g
left join sale_result s on s.run = r.run and s.tier_uid = '${ALL_TIERS}'`;

// A run that left the program before its first order was only planned, and is not shown.
const SHOWN = "(r.program_version = g.program_version or s.orders > 0)";

const IS_PLANNED = "coalesce(r.starts_at > $4, false)";

// What has a result comes first: what runs, then what is over. Of what is planned, the next one comes first.
const LIST = `${RUN}
where ${SHOWN}
  and ($1::text is null or r.kind = $1)
order by ${IS_PLANNED},
  case when ${IS_PLANNED} then r.starts_at end,
  r.program_version <> g.program_version or coalesce(r.ends_at <= $4, false),
  r.starts_at desc nulls last,
  r.run
offset $2
limit $3`;

const ONE = `${RUN}
where md5(r.run) = $1`;

// A bonus without an end is among them where it begins. Bonuses may overlap, and many of them leave out no campaign.
const DURING = `select *
from (
  ${RUN}
  where ${SHOWN}
    and r.starts_at < $2
    and (r.ends_at > $1 or (r.ends_at is null and r.starts_at >= $1))
  order by r.kind = 'bonus', r.starts_at, r.run
  limit $3) during
order by "startsAt", key`;

const TIERS = `select s.tier_uid as "tierUid",
  ${SUMS}
from sale_run r
join sale_result s on s.run = r.run and s.tier_uid <> '${ALL_TIERS}' and s.orders <> 0
where md5(r.run) = $1`;

type Row<T> = { [K in keyof T]: K extends "revenue" | "points" | "extra" ? string : T[K] };

/** Campaigns and bonus collections: those that run, those that are over, those that are planned. */
export async function selectRunResults(
  queryable: Queryable,
  {
    kind,
    offset,
    rows,
    now,
  }: {
    readonly kind: "campaign" | "bonus" | null;
    readonly offset: number;
    readonly rows: number;
    readonly now: Temporal.Instant;
  },
): Promise<RunResult[]> {
  return (await queryable.query<Row<RunResult>>(LIST, [kind, offset, rows, now])).map(withSums);
}

export async function selectRunResult(queryable: Queryable, id: string): Promise<RunResult | undefined> {
  const [row] = await queryable.query<Row<RunResult>>(ONE, [id]);
  return row && withSums(row);
}

/** Campaigns, then bonus collections, that ran within a period, so many rows of them, by their start. */
export async function selectRunsDuring(
  queryable: Queryable,
  { from, to }: { readonly from: Temporal.Instant; readonly to: Temporal.Instant },
  rows: number,
): Promise<RunResult[]> {
  return (await queryable.query<Row<RunResult>>(DURING, [from, to, rows])).map(withSums);
}

export async function selectTierResults(queryable: Queryable, id: string): Promise<TierResult[]> {
  return (await queryable.query<Row<TierResult>>(TIERS, [id])).map(withSums);
}

const ALL_IN_SPAN = `select coalesce(sum(s.orders), 0)::bigint as orders,
  coalesce(sum(s.campaign_orders), 0)::bigint as "campaignOrders",
  coalesce(sum(s.revenue), 0)::text as revenue,
  coalesce(sum(s.points), 0)::text as points
from sale_slot s
where s.slot >= $1
  and s.slot < $2`;

const COLLECTION_IN_SPAN = `select coalesce(sum(s.orders), 0)::bigint as orders,
  0::bigint as "campaignOrders",
  coalesce(sum(s.revenue), 0)::text as revenue,
  '0' as points
from sale_collection s
where s.collection_id = $3
  and s.slot >= $1
  and s.slot < $2`;

/** The totals of the orders in a range of slots: of all orders, or of the goods of one collection. */
export async function selectSpan(
  queryable: Queryable,
  { from, to, collectionId }: { from: Temporal.Instant; to: Temporal.Instant; collectionId: string | null },
): Promise<ResultSums & { readonly campaignOrders: bigint }> {
  type Sums = ResultSums & { readonly campaignOrders: bigint };
  const [row] = await queryable.query<Row<Sums> & { revenue: string; points: string }>(
    collectionId === null ? ALL_IN_SPAN : COLLECTION_IN_SPAN,
    collectionId === null ? [from, to] : [from, to, collectionId],
  );
  if (row === undefined) throw new Error("a sum has one row");
  return { ...row, revenue: BigInt(row.revenue), points: BigInt(row.points) };
}

function withSums<T extends { revenue: string; points: string; extra: string }>(row: T) {
  return { ...row, revenue: BigInt(row.revenue), points: BigInt(row.points), extra: BigInt(row.extra) };
}
