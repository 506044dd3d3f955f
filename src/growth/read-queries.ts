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

/** Numbers of customers by figure and month: four rows per month. */
export function selectGrowthMonths(queryable: Queryable): Promise<MonthCustomers[]> {
  return queryable.query<MonthCustomers>(MONTHS);
}

const LAPSING = `select month,
  sum(customers)::bigint as customers
from growth_lapse
where hour <= $1::timestamptz - interval '1 hour'
group by 1`;

/** Customers who lapsed before an instant (by the hour) and have not ordered since, by the month of lapsing: some 9,000 rows per year. */
export async function selectLapsing(queryable: Queryable, now: Temporal.Instant): Promise<ReadonlyMap<number, bigint>> {
  const rows = await queryable.query<{ month: number; customers: bigint }>(LAPSING, [now]);
  return new Map(rows.map(({ month, customers }) => [month, customers]));
}

const TIERS = `select tier_uid as "tierUid", customers
from growth_tier
where customers <> 0`;

/** Numbers of customers by their present tier, as stored. */
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

/** The moves of a month and of later months. */
export function selectTierMoves(queryable: Queryable, from: number): Promise<TierMove[]> {
  return queryable.query<TierMove>(MOVES, [from]);
}
