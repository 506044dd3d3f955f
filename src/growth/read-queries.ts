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

const LAPSING = `select month,
  sum(customers)::bigint as customers
from growth_lapse
where hour <= $1::timestamptz - interval '1 hour'
group by 1`;

/** Customers who have lapsed by an instant, to the hour, and have not ordered since, by the month in which they did: some 9,000 rows a year. */
export async function selectLapsing(queryable: Queryable, now: Temporal.Instant): Promise<ReadonlyMap<number, bigint>> {
  const rows = await queryable.query<{ month: number; customers: bigint }>(LAPSING, [now]);
  return new Map(rows.map(({ month, customers }) => [month, customers]));
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
