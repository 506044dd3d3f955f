import type { Queryable } from "../db/pool.ts";

/** The totals of one month's orders, of customers or of guests. Money in minor units. */
export interface BuyersMonth {
  /** The index of the month in the given starts. */
  readonly place: number;
  readonly isGuest: boolean;
  readonly orders: bigint;
  readonly revenue: bigint;
}

const MONTHS = `select m.place::integer as place,
  s.is_guest as "isGuest",
  sum(s.orders)::bigint as orders,
  sum(s.revenue)::text as revenue
from unnest($1::timestamptz[], $2::timestamptz[]) with ordinality m (starts_at, ends_at, place)
join sale_slot s on s.slot >= m.starts_at and s.slot < m.ends_at
group by m.place, s.is_guest`;

/** Sums the slots between each start and the next; a month without orders has no row. */
export async function selectBuyersMonths(
  queryable: Queryable,
  starts: readonly Temporal.Instant[],
): Promise<BuyersMonth[]> {
  type Row = Omit<BuyersMonth, "revenue"> & { readonly revenue: string };
  const rows = await queryable.query<Row>(MONTHS, [starts.slice(0, -1), starts.slice(1)]);
  return rows.map((row) => ({ ...row, place: row.place - 1, revenue: BigInt(row.revenue) }));
}
