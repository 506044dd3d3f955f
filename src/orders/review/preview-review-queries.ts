import type { Queryable } from "../../db/pool.ts";

const COUNT = `select count(*) as orders
from store_order
where processed_at >= coalesce($1::timestamptz, '-infinity')`;

const NEWEST = `select order_id as "orderId"
from store_order
where processed_at >= coalesce($1::timestamptz, '-infinity')
order by processed_at desc, order_id desc
limit $2`;

// Whole pages of the table, spread over all of it.
const SAMPLE = `select order_id as "orderId"
from store_order tablesample system ($3) repeatable (1)
where processed_at >= coalesce($1::timestamptz, '-infinity')
limit $2`;

/** Returns how many orders were processed at or after a time; null: at any time. */
export async function countOrdersSince(queryable: Queryable, from: Temporal.Instant | null): Promise<number> {
  const [row] = await queryable.query<{ orders: bigint }>(COUNT, [from]);
  return Number(row?.orders ?? 0n);
}

/** Returns at most `limit` of those orders: all of them or, if there are more, a sample from every part of the table. */
export async function selectSampleOrders(
  queryable: Queryable,
  from: Temporal.Instant | null,
  { total, limit }: { readonly total: number; readonly limit: number },
): Promise<readonly string[]> {
  const rows =
    total <= limit
      ? await queryable.query<{ orderId: string }>(NEWEST, [from, limit])
      : await queryable.query<{ orderId: string }>(SAMPLE, [from, limit, samplePercent(total, limit)]);
  return rows.map(({ orderId }) => orderId);
}

/** A little more than needed, because pages are chosen at random. */
function samplePercent(total: number, limit: number): number {
  return Math.min(100, (120 * limit) / total);
}
