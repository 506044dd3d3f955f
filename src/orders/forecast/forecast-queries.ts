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

// The index has all needed columns. A hash of the id spreads the sample over the whole period, and its order each beginning of the sample.
const SAMPLE = `select order_id as "orderId"
from store_order
where processed_at >= $1
  and processed_at < $2
  and abs(hashtextextended(order_id, 0) % $3::bigint) = 0
order by hashtextextended(order_id, 1)
limit $4`;

const OF_CUSTOMERS = `select o.customer_uid as "customerUid",
  count(*) as orders
from unnest($3::smallint[], $4::uuid[]) c (bucket, customer_uid)
join store_order o on o.bucket = c.bucket and o.customer_uid = c.customer_uid
where o.processed_at >= $1
  and o.processed_at < $2
group by o.customer_uid`;

/** Returns how many orders of a period each of some customers has. */
export async function countOrdersOfCustomers(
  queryable: Queryable,
  { start, end }: TimeRange,
  customers: readonly { readonly bucket: number; readonly customerUid: string }[],
): Promise<ReadonlyMap<string, number>> {
  const [buckets, uids] = [customers.map(({ bucket }) => bucket), customers.map(({ customerUid }) => customerUid)];
  const rows = await queryable.query<{ customerUid: string; orders: bigint }>(OF_CUSTOMERS, [
    ...[start, end, buckets, uids],
  ]);
  return new Map(rows.map(({ customerUid, orders }) => [customerUid, Number(orders)]));
}

/** Returns how many orders were processed in a period. */
export async function countOrdersOf(queryable: Queryable, { start, end }: TimeRange): Promise<number> {
  const [row] = await queryable.query<{ orders: bigint }>(COUNT, [start, end]);
  return Number(row?.orders ?? 0n);
}

/** Returns about `limit` of those orders: all of them, or an evenly spread sample. Whoever stops early has an evenly spread one too. */
export async function selectOrdersOf(
  queryable: Queryable,
  { start, end }: TimeRange,
  { total, limit }: { readonly total: number; readonly limit: number },
): Promise<readonly string[]> {
  const every = Math.max(1, Math.ceil(total / limit));
  const rows = await queryable.query<{ orderId: string }>(SAMPLE, [start, end, every, 2 * limit]);
  return rows.map(({ orderId }) => orderId);
}
