import type { Queryable } from "../../db/pool.ts";

/** Up to here all orders are sorted, which takes about as long as counting them. */
const SORTED_MAX = 250_000;

const COUNT = `select count(*) as orders
from store_order
where processed_at >= coalesce($1::timestamptz, '-infinity')`;

// The index has all needed columns. The hash of the id spreads each beginning of the orders over all their days.
const SPREAD = `select order_id as "orderId"
from store_order
where processed_at >= coalesce($1::timestamptz, '-infinity')
order by hashtextextended(order_id, 1)
limit $2`;

// Whole pages of the table, spread over all of it, and in the same order.
const SAMPLE = `select order_id as "orderId"
from store_order tablesample system ($3) repeatable (1)
where processed_at >= coalesce($1::timestamptz, '-infinity')
order by hashtextextended(order_id, 1)
limit $2`;

/** Returns how many orders were processed at or after a time; null: at any time. */
export async function countOrdersSince(queryable: Queryable, from: Temporal.Instant | null): Promise<number> {
  const [row] = await queryable.query<{ orders: bigint }>(COUNT, [from]);
  return Number(row?.orders ?? 0n);
}

/** Returns at most `limit` of those orders: all of them or an evenly spread sample. Whoever stops early has an evenly spread one too. */
export async function selectSampleOrders(
  queryable: Queryable,
  from: Temporal.Instant | null,
  { total, limit }: { readonly total: number; readonly limit: number },
): Promise<readonly string[]> {
  const rows =
    total <= Math.max(limit, SORTED_MAX)
      ? await queryable.query<{ orderId: string }>(SPREAD, [from, limit])
      : await queryable.query<{ orderId: string }>(SAMPLE, [from, limit, samplePercent(total, limit)]);
  return rows.map(({ orderId }) => orderId);
}

/** A little more than needed, because pages are chosen at random. */
function samplePercent(total: number, limit: number): number {
  return Math.min(100, (120 * limit) / total);
}
