import type { Db, Queryable } from "../../db/pool.ts";
import { READ_ROWS } from "../list.ts";

/** A customer of a segment, as its list and its file show them. Money is in minor units. */
export interface ListedBuyer {
  readonly bucket: number;
  readonly customerUid: string;
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly tierUid: string | null;
  readonly points: bigint;
  readonly orders: bigint;
  readonly spend: string;
  readonly lastOrderAt: Temporal.Instant | null;
}

// What stays on the coordinator of a Citus is one subquery: it joins only these rows to the balances, not each of the tables as a whole.
const listed = (customers: string) => `select c.bucket,
  c.customer_uid as "customerUid",
  c.storefront_id as id,
  c.name,
  c.email,
  c.tier_uid as "tierUid",
  b.ledger_points - b.held_points as points,
  coalesce(c.orders, 0) as orders,
  coalesce(c.revenue, 0)::text as spend,
  c.last_at as "lastOrderAt"
from (
  select c.*, t.tier_uid, s.orders, s.revenue, s.last_at
  from (
    ${customers}) m
  join customer c on c.bucket = m.bucket and c.customer_uid = m.customer_uid and c.deleted_at is null
  left join customer_tier t on t.bucket = c.bucket and t.customer_uid = c.customer_uid
  left join sale_buyer s on s.bucket = c.bucket and s.customer_uid = c.customer_uid) c
join balance b on b.bucket = c.bucket and b.customer_uid = c.customer_uid`;

const OF_SEGMENT = `${listed(`select bucket, customer_uid
    from segment_customer
    where segment_uid = $1
      and generation = $2
      and (bucket, customer_uid) > ($3, $4)
    order by bucket, customer_uid
    limit $5`)}
order by c.bucket, c.customer_uid`;

export interface ListPlace {
  readonly bucket: number;
  readonly customerUid: string;
}

export const FIRST_PLACE: ListPlace = { bucket: -1, customerUid: "00000000-0000-0000-0000-000000000000" };

/** Returns a page of a segment's list, by key. */
export function selectSegmentPage(
  queryable: Queryable,
  list: { readonly uid: string; readonly generation: number },
  { bucket, customerUid }: ListPlace,
): Promise<ListedBuyer[]> {
  return queryable.query<ListedBuyer>(OF_SEGMENT, [list.uid, list.generation, bucket, customerUid, READ_ROWS]);
}

const ALL = listed(`select bucket, customer_uid
    from segment_customer
    where segment_uid = $1
      and generation = $2`);

/** Returns the complete list, in pieces. */
export function streamSegment(
  db: Pick<Db, "stream">,
  list: { readonly uid: string; readonly generation: number },
): AsyncIterable<ListedBuyer[]> {
  return db.stream<ListedBuyer>(ALL, [list.uid, list.generation]);
}
