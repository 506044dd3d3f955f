import type { Param, Queryable } from "../../db/pool.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";

/** A place in the list of orders: newest processed first. */
export interface OrderPosition {
  readonly processedAt: Temporal.Instant;
  readonly orderId: string;
}

export interface ListedMoney {
  readonly minor: string;
  readonly currency: string;
}

export interface ListedOrder extends OrderPosition {
  readonly orderName: string | null;
  readonly state: string;
  readonly storefrontId: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly isDeleted: boolean;
  readonly guestEmail: string | null;
  readonly total: ListedMoney | null;
  readonly awardablePoints: bigint;
  readonly awardedPoints: bigint;
  readonly redeemedPoints: bigint;
}

export interface OrderFilters {
  readonly search: string | null;
  readonly state: string | null;
  readonly customer: CustomerRef | null;
  readonly from: Temporal.Instant | null;
  /** Exclusive. */
  readonly to: Temporal.Instant | null;
}

/** How many orders a search considers by each way to find them. */
const FOUND_MAX = 500;

const FOUND = `select f.order_id
    from store_order f
    where f.order_id = $7
    union
    select f.order_id
    from (
      select n.order_id
      from store_order n
      where lower(n.order_name) like $8
      order by lower(n.order_name) using ~<~ -- the index's own order: an exact name comes first
      limit ${FOUND_MAX}) f
    union
    select f.order_id
    from (
      select n.order_id
      from store_order n
      where lower(n.order_name) like '#' || $8
      order by lower(n.order_name) using ~<~
      limit ${FOUND_MAX}) f
    union
    select f.order_id
    from store_order f
    where f.email = lower($7)
      and f.email is not null
      and f.customer_uid is null
    union
    select f.order_id
    from (
      select o.order_id
      from customer c
      join store_order o on o.bucket = c.bucket and o.customer_uid = c.customer_uid
      where c.email = lower($7)
      limit ${FOUND_MAX}) f`;

/** By which index orders are found; each takes all the parameters. */
const WALKS = {
  time: "$4::text is null and $5::smallint is null and $6::uuid is null and $7::text is null and $8::text is null",
  state: "o.state = $4 and $5::smallint is null and $6::uuid is null and $7::text is null and $8::text is null",
  customer: `o.bucket = $5
    and o.customer_uid = $6
    and ($4::text is null or o.state = $4)
    and $7::text is null
    and $8::text is null`,
  search: `o.order_id in (
    ${FOUND})
    and ($4::text is null or o.state = $4)
    and ($6::uuid is null or o.bucket = $5::smallint and o.customer_uid = $6)`,
} as const;

const page = (walk: string) => `select o.order_id as "orderId",
  o.order_name as "orderName",
  o.processed_at as "processedAt",
  o.state,
  c.storefront_id as "storefrontId",
  c.name,
  c.email,
  coalesce(c.deleted_at is not null, false) as "isDeleted",
  case when o.customer_uid is null then o.email end as "guestEmail",
  o.facts #> '{stated,total}' as total,
  o.awardable_points as "awardablePoints",
  o.awarded_points as "awardedPoints",
  o.redeemed_points as "redeemedPoints"
from (
  select o.*
  from store_order o
  where ${walk}
    and (o.processed_at, o.order_id) < ($1, $2)
    and ($3::timestamptz is null or o.processed_at >= $3)
  order by o.processed_at desc, o.order_id desc
  limit $9) o
left join customer c on c.bucket = o.bucket and c.customer_uid = o.customer_uid
order by o.processed_at desc, o.order_id desc`;

const TEXTS = {
  time: page(WALKS.time),
  state: page(WALKS.state),
  customer: page(WALKS.customer),
  search: page(WALKS.search),
} as const;

const LAST = Temporal.Instant.from("9999-12-31T00:00:00Z");

/** Orders behind a position (null: from the newest on), newest processed first. */
export function selectOrders(
  db: Queryable,
  filters: OrderFilters,
  at: OrderPosition | null,
  rows: number,
): Promise<ListedOrder[]> {
  const { search, state, customer, from } = filters;
  const start = startOf(filters.to, at);
  const params: Param[] = [start.processedAt, start.orderId, from, state];
  params.push(customer?.bucket ?? null, customer?.customerUid ?? null);
  params.push(search, search === null ? null : `${escaped(search.toLowerCase())}%`, rows);
  return db.query<ListedOrder>(TEXTS[walkOf(filters)], params);
}

function walkOf({ search, state, customer }: OrderFilters): keyof typeof TEXTS {
  if (search !== null) return "search";
  if (customer !== null) return "customer";
  return state === null ? "time" : "state";
}

/** The end of the time span where it lies before the position. */
function startOf(to: Temporal.Instant | null, at: OrderPosition | null): OrderPosition {
  const end = { processedAt: to ?? LAST, orderId: "" };
  if (at === null) return end;
  return Temporal.Instant.compare(end.processedAt, at.processedAt) <= 0 ? end : at;
}

/** Text as `like` takes it literally. */
function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}
