import type { Queryable } from "../db/pool.ts";
import type { GrowthFigure } from "./growth-share.ts";
import type { TierMove } from "./tier-months.ts";

const MONTHS = `select month, figure, customers
from growth_month
where customers <> 0`;

export interface MonthCustomers {
  readonly month: number;
  readonly figure: GrowthFigure;
  readonly customers: bigint;
}

/** Customers by figure and month: four rows a month. */
export function selectGrowthMonths(queryable: Queryable): Promise<MonthCustomers[]> {
  return queryable.query<MonthCustomers>(MONTHS);
}

const LAPSING = `select coalesce(sum(customers), 0)::bigint as customers
from growth_lapse
where slot <= $1::timestamptz - interval '15 minutes'`;

/** Customers who have lapsed by an instant and have not ordered since: to the quarter of an hour. */
export async function selectLapsing(queryable: Queryable, now: Temporal.Instant): Promise<bigint> {
  const [row] = await queryable.query<{ customers: bigint }>(LAPSING, [now]);
  return row?.customers ?? 0n;
}

const LAPSED = `select m.place::integer as place,
  sum(g.customers)::bigint as customers
from unnest($1::timestamptz[], $2::timestamptz[]) with ordinality m (starts_at, ends_at, place)
join growth_lapse g on g.slot >= m.starts_at and g.slot < m.ends_at
where g.slot <= $3::timestamptz - interval '15 minutes'
group by 1`;

/** The same by the month in which they lapsed: the place of the month among those whose starts, and the end of the last, are given. */
export async function selectLapsedByMonth(
  queryable: Queryable,
  starts: readonly Temporal.Instant[],
  now: Temporal.Instant,
): Promise<ReadonlyMap<number, bigint>> {
  type Row = { readonly place: number; readonly customers: bigint };
  const rows = await queryable.query<Row>(LAPSED, [starts.slice(0, -1), starts.slice(1), now]);
  return new Map(rows.map(({ place, customers }) => [place - 1, customers]));
}

const TIERS = `select tier_uid as "tierUid", customers
from growth_tier
where customers <> 0`;

/** Customers by their tier now, as it is stored. */
export async function selectCustomersByTier(queryable: Queryable): Promise<ReadonlyMap<string, bigint>> {
  const rows = await queryable.query<{ tierUid: string; customers: bigint }>(TIERS);
  return new Map(rows.map(({ tierUid, customers }) => [tierUid, customers]));
}

const MOVES = `select month,
  from_uid as "from",
  to_uid as "to",
  customers
from growth_move
where month >= $1
  and customers <> 0`;

/** Moves of a month and the later ones. */
export function selectTierMoves(queryable: Queryable, from: number): Promise<TierMove[]> {
  return queryable.query<TierMove>(MOVES, [from]);
}
