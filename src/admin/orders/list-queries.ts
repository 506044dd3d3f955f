import type { Queryable } from "../../db/pool.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import { countUpToMax } from "../count-queries.ts";
import { allOf, type Binder, createBinder, NEWEST, type TimePosition, type TimeRange } from "../list.ts";
import type { SaleFilter } from "./schema.ts";

export interface ListedMoney {
  readonly minor: string;
  readonly currency: string;
}

export interface ListedOrder {
  readonly orderId: string;
  readonly processedAt: Temporal.Instant;
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

export interface OrderFilters extends TimeRange {
  readonly search: string | null;
  readonly state: string | null;
  readonly sale: SaleFilter | null;
  readonly customer: CustomerRef | null;
}

/** SQL for the orders that count as sales: see `saleOf` in sales/sale.ts. */
const IS_SALE = `o.state not in ('test', 'cancelled', 'other_currency')
    and coalesce(o.facts #>> '{stated,shopCurrency}', o.rules ->> 'currency') = o.rules ->> 'currency'
    and (o.facts ->> 'paidAt' is not null or o.facts #>> '{stated,financialStatus}' is distinct from 'voided')
    and o.facts #> '{stated,lines}' is not null`;

const SALES: Readonly<Record<SaleFilter, string>> = {
  sale: IS_SALE,
  customer_sale: `${IS_SALE} and o.customer_uid is not null`,
  guest_sale: `o.state = 'waiting' and ${IS_SALE} and o.customer_uid is null`,
};

/** The maximum number of orders that each way of searching considers. */
const FOUND_MAX = 500;

/** SQL for the orders that a search finds. Its parameters: the search text, and the pattern of a name that begins with it. */
const found = (typed: string, pattern: string) => `select f.order_id
    from store_order f
    where f.order_id = ${typed}
    union
    select f.order_id
    from (
      select n.order_id
      from store_order n
      where lower(n.order_name) like ${pattern}
      order by lower(n.order_name) using ~<~ -- the index's own order: an exact name comes first
      limit ${FOUND_MAX}) f
    union
    select f.order_id
    from (
      select n.order_id
      from store_order n
      where lower(n.order_name) like '#' || ${pattern}
      order by lower(n.order_name) using ~<~
      limit ${FOUND_MAX}) f
    union
    select f.order_id
    from store_order f
    where f.email = lower(${typed})
      and f.email is not null
      and f.customer_uid is null
    union
    select f.order_id
    from (
      select o.order_id
      from customer c
      join store_order o on o.bucket = c.bucket and o.customer_uid = c.customer_uid
      where c.email = lower(${typed})
      limit ${FOUND_MAX}) f`;

const page = (conditions: string, limit: string) => `select o.order_id as "orderId",
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
  where ${conditions}
  order by o.processed_at desc, o.order_id desc
  limit ${limit}) o
left join customer c on c.bucket = o.bucket and c.customer_uid = o.customer_uid
order by o.processed_at desc, o.order_id desc`;

const countFound = `select count(*)::int as orders
from (
  select 1
  from (${found("$1", "$2")}) f
  limit ${FOUND_MAX}) counted`;

/** Returns orders after a position (null: from the newest), newest processed first. */
export function selectOrders(
  db: Queryable,
  filters: OrderFilters,
  after: TimePosition | null,
  rows: number,
): Promise<ListedOrder[]> {
  const binder = createBinder();
  const conditions = conditionsOf(binder, filters, after);
  return db.query<ListedOrder>(page(conditions, binder.bind(rows)), binder.params);
}

/** Returns how many orders the filters show, at most `COUNTED_MAX` plus one. */
export function countListedOrders(db: Queryable, filters: OrderFilters): Promise<number> {
  const binder = createBinder();
  const rows = `select 1
  from store_order o
  where ${conditionsOf(binder, filters, null)}`;
  return countUpToMax(db, rows, binder.params);
}

/** Returns whether a search finds so few orders that none of them was left out. */
export async function findsAll(db: Queryable, search: string): Promise<boolean> {
  const [row] = await db.query<{ orders: number }>(countFound, [search, patternOf(search)]);
  return (row?.orders ?? 0) < FOUND_MAX;
}

function conditionsOf(binder: Binder, filters: OrderFilters, after: TimePosition | null): string {
  const { search, state, sale, customer, from, to } = filters;
  const { bind, bindIf } = binder;
  const start = startOf(to, after);
  return allOf([
    search === null ? null : isFound(binder, search),
    customer === null ? null : `o.bucket = ${bind(customer.bucket)}`,
    customer === null ? null : `o.customer_uid = ${bind(customer.customerUid)}`,
    bindIf(state, (n) => `o.state = ${n}`),
    sale === null ? null : SALES[sale],
    `(o.processed_at, o.order_id) < (${bind(start.at)}, ${bind(start.id)})`,
    bindIf(from, (n) => `o.processed_at >= ${n}`),
  ]);
}

function isFound({ bind }: Binder, search: string): string {
  return `o.order_id in (
    ${found(bind(search), bind(patternOf(search)))})`;
}

function patternOf(search: string): string {
  return `${escaped(search.toLowerCase())}%`;
}

/** Returns the end of the time range, if it comes before the position in the list. */
function startOf(to: Temporal.Instant | null, after: TimePosition | null): TimePosition {
  const end = { at: to ?? NEWEST.at, id: "" };
  return after === null || Temporal.Instant.compare(end.at, after.at) <= 0 ? end : after;
}

/** Escapes a text so that `like` takes it literally. */
function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}
