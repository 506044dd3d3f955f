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

const COLUMNS = `c.bucket,
  c.customer_uid as "customerUid",
  c.storefront_id as id,
  c.name,
  c.email,
  t.tier_uid as "tierUid",
  b.ledger_points - b.held_points as points,
  coalesce(s.orders, 0) as orders,
  coalesce(s.revenue, 0)::text as spend,
  s.last_at as "lastOrderAt"`;
const JOINS = `join customer c on c.bucket = m.bucket and c.customer_uid = m.customer_uid and c.deleted_at is null
join balance b on b.bucket = c.bucket and b.customer_uid = c.customer_uid
left join customer_tier t on t.bucket = c.bucket and t.customer_uid = c.customer_uid
left join sale_buyer s on s.bucket = c.bucket and s.customer_uid = c.customer_uid`;

const OF_SEGMENT = (limit: string) => `select ${COLUMNS}
from (
  select bucket, customer_uid
  from segment_customer
  where segment_uid = $1
    and generation = $2
    and (bucket, customer_uid) > ($3, $4)
  order by bucket, customer_uid
  limit ${limit}) m
${JOINS}
order by m.bucket, m.customer_uid`;

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
  return queryable.query<ListedBuyer>(OF_SEGMENT("$5"), [list.uid, list.generation, bucket, customerUid, READ_ROWS]);
}

const ALL = `select ${COLUMNS}
from (
  select bucket, customer_uid
  from segment_customer
  where segment_uid = $1
    and generation = $2) m
${JOINS}`;

/** Returns the complete list, in pieces. */
export function streamSegment(
  db: Pick<Db, "stream">,
  list: { readonly uid: string; readonly generation: number },
): AsyncIterable<ListedBuyer[]> {
  return db.stream<ListedBuyer>(ALL, [list.uid, list.generation]);
}
