import type { Queryable } from "../../db/pool.ts";

/** A period, excluding its end. */
interface TimeRange {
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
}

const COUNT = `select count(*) as orders
from store_order
where processed_at >= $1
  and processed_at < $2`;

// The index has all needed columns; a hash of the id spreads the sample over the whole period.
const SAMPLE = `select order_id as "orderId"
from store_order
where processed_at >= $1
  and processed_at < $2
  and abs(hashtextextended(order_id, 0) % $3::bigint) = 0
limit $4`;

/** Returns how many orders were processed in a period. */
export async function countOrdersOf(queryable: Queryable, { start, end }: TimeRange): Promise<number> {
  const [row] = await queryable.query<{ orders: bigint }>(COUNT, [start, end]);
  return Number(row?.orders ?? 0n);
}

/** Returns about `limit` of those orders: all of them, or an evenly spread sample. */
export async function selectOrdersOf(
  queryable: Queryable,
  { start, end }: TimeRange,
  { total, limit }: { readonly total: number; readonly limit: number },
): Promise<readonly string[]> {
  const every = Math.max(1, Math.ceil(total / limit));
  const rows = await queryable.query<{ orderId: string }>(SAMPLE, [start, end, every, 2 * limit]);
  return rows.map(({ orderId }) => orderId);
}
