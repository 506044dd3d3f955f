import type { Queryable, Tx } from "../db/pool.ts";
import type { AllotmentType } from "../ledger/allotment-types.ts";
import { type CustomerRef, refOf } from "../ledger/customer-ref.ts";
import { readCarried } from "../ledger/merge-queries.ts";
import { decodeFacts, encodeFacts } from "./order-facts.ts";
import { decodeRules, encodeRules, type OrderRules, type ProductFacts } from "./order-rules.ts";
import type { OrderPostingRow, PostingResult, StoreOrder } from "./store-order.ts";
import type { TierSpend } from "./tier-spend.ts";

interface OrderRow {
  readonly orderId: string;
  readonly platform: string;
  readonly bucket: number | null;
  readonly customerUid: string | null;
  readonly facts: unknown;
  readonly rules: unknown;
  readonly rulesFor: string | null;
  readonly receivedAt: Temporal.Instant;
}

const COLUMNS = `o.order_id as "orderId",
  o.platform,
  o.bucket,
  o.customer_uid as "customerUid",
  o.facts,
  o.rules,
  o.rules_for as "rulesFor",
  o.received_at as "receivedAt"`;

const LOCK_ORDER = `select ${COLUMNS}
from store_order o
where o.order_id = $1
for no key update of o`;

const READ_ORDER = `select ${COLUMNS}
from store_order o
where o.order_id = $1`;

const LOCK_GUEST_ORDERS = `select ${COLUMNS}
from store_order o
where o.email = $1
  and o.customer_uid is null
order by o.order_id
for no key update of o skip locked`;

const LOCK_ADOPTABLE_ORDER = `select ${COLUMNS}
from store_order o
where o.customer_uid is null
  and o.email is not null
  and o.order_id <> all($1)
  and (
    select count(*)
    from customer c
    where c.email = o.email
      and c.deleted_at is null) = 1
limit 1
for no key update of o skip locked`;

const LOCK_DUE_ORDER = `select ${COLUMNS}
from store_order o
where o.due_at <= $1
  and o.order_id <> all($2)
order by o.due_at
limit 1
for no key update of o skip locked`;

const LOCK_ORDERS_SINCE = `select ${COLUMNS}
from store_order o
where o.bucket = $1
  and o.customer_uid = $2
  and o.processed_at >= $3
  and o.order_id > $4
order by o.order_id
limit $5
for no key update of o`;

// Whoever comes second waits here for the first one's commit, and writes nothing.
const INSERT_ORDER = `insert into store_order (order_id, platform, facts, received_at)
values ($1, $2, $3, $4)
on conflict (order_id) do nothing`;

/** An order as it is, unlocked; undefined: it is not known. */
export async function readOrder(queryable: Queryable, orderId: string): Promise<StoreOrder | undefined> {
  const [row] = await queryable.query<OrderRow>(READ_ORDER, [orderId]);
  return row && toOrder(row);
}

/** Locks an order until the transaction ends; undefined: it is not known. */
export async function lockOrder(tx: Tx, orderId: string): Promise<StoreOrder | undefined> {
  const [row] = await tx.query<OrderRow>(LOCK_ORDER, [orderId]);
  return row && toOrder(row);
}

/**
 * Locks the orders that wait under an e-mail (lower case), by id. One that somebody else has in hand is passed over: whoever
 * has it looks for its customer after taking the lock of the e-mail, and so finds the customer too.
 */
export async function lockGuestOrders(tx: Tx, email: string): Promise<StoreOrder[]> {
  return (await tx.query<OrderRow>(LOCK_GUEST_ORDERS, [email])).map(toOrder);
}

/** Locks a waiting order whose e-mail is one customer's, but for those passed over and those that somebody else has in hand. */
export async function lockAdoptableOrder(tx: Tx, passedOver: readonly string[]): Promise<StoreOrder | undefined> {
  const [row] = await tx.query<OrderRow>(LOCK_ADOPTABLE_ORDER, [passedOver]);
  return row && toOrder(row);
}

/** Locks the order that has been due longest, but for those passed over and those that somebody else has in hand. */
export async function lockDueOrder(
  tx: Tx,
  now: Temporal.Instant,
  passedOver: readonly string[],
): Promise<StoreOrder | undefined> {
  const [row] = await tx.query<OrderRow>(LOCK_DUE_ORDER, [now, passedOver]);
  return row && toOrder(row);
}

/** Locks a customer's orders processed at or after a time, by id from one on. */
export async function lockOrdersSince(
  tx: Tx,
  { bucket, customerUid }: CustomerRef,
  { from, afterId, limit }: { readonly from: Temporal.Instant; readonly afterId: string; readonly limit: number },
): Promise<StoreOrder[]> {
  const rows = await tx.query<OrderRow>(LOCK_ORDERS_SINCE, [bucket, customerUid, from, afterId, limit]);
  return rows.map(toOrder);
}

/** Keeps an order that is new; false: somebody else just did. */
export async function insertOrder(
  tx: Tx,
  order: Pick<StoreOrder, "orderId" | "platform" | "facts" | "receivedAt">,
): Promise<boolean> {
  const facts = JSON.stringify(encodeFacts(order.facts));
  return (await tx.execute(INSERT_ORDER, [order.orderId, order.platform, facts, order.receivedAt])) === 1;
}

function toOrder({ bucket, customerUid, ...row }: OrderRow): StoreOrder {
  return {
    ...row,
    customer: toRef(bucket, customerUid),
    facts: decodeFacts(row.facts),
    rules: row.rules === null ? null : decodeRules(row.rules),
  };
}

function toRef(bucket: number | null, customerUid: string | null): CustomerRef | null {
  return bucket === null || customerUid === null ? null : { bucket, customerUid };
}

/** What is written of an order after its events or its time changed it. */
export interface OrderUpdate extends StoreOrder {
  readonly email: string | null;
  readonly rules: OrderRules;
  readonly awardablePoints: bigint;
  readonly awardedPoints: bigint;
  readonly redeemedPoints: bigint;
  readonly forgivenPoints: bigint;
  readonly dueAt: Temporal.Instant | null;
}

const UPDATE_ORDER = `update store_order
set bucket = $2,
  customer_uid = $3,
  email = $4,
  facts = $5,
  rules = $6,
  rules_for = $7,
  awardable_points = $8,
  awarded_points = $9,
  redeemed_points = $10,
  forgiven_points = $11,
  due_at = $12
where order_id = $1`;

export async function updateOrder(tx: Tx, state: OrderUpdate): Promise<void> {
  await tx.execute(UPDATE_ORDER, [
    state.orderId,
    state.customer?.bucket ?? null,
    state.customer?.customerUid ?? null,
    state.email,
    JSON.stringify(encodeFacts(state.facts)),
    JSON.stringify(encodeRules(state.rules)),
    state.rulesFor,
    state.awardablePoints,
    state.awardedPoints,
    state.redeemedPoints,
    state.forgivenPoints,
    state.dueAt,
  ]);
}

const SELECT_POSTINGS = `select p.cause,
  p.type,
  p.bucket,
  p.customer_uid as "customerUid",
  b.merged_into as "mergedInto",
  p.version,
  p.wanted as requested,
  p.taken,
  coalesce(p.taken_elsewhere, case when p.outcome = 'owed' then p.taken - p.wanted else 0 end) as "takenElsewhere",
  p.outcome as result
from order_posting p
left join balance b on b.bucket = p.bucket and b.customer_uid = p.customer_uid
where p.order_id = $1`;

interface PostingRow {
  readonly cause: string;
  readonly type: AllotmentType | null;
  readonly bucket: number | null;
  readonly customerUid: string | null;
  readonly mergedInto: string | null;
  readonly version: bigint | null;
  readonly requested: bigint;
  readonly taken: bigint;
  readonly takenElsewhere: bigint;
  readonly result: PostingResult;
}

/**
 * Everything that an order posted or settled; its row is locked. What went to a customer who has been merged is the surviving
 * one's, and its version that of the allotment which has what was left of it.
 */
export async function selectPostings(tx: Tx, orderId: string): Promise<OrderPostingRow[]> {
  const rows = await tx.query<PostingRow>(SELECT_POSTINGS, [orderId]);
  const merged = rows.flatMap(({ customerUid, mergedInto, version }) =>
    customerUid !== null && mergedInto !== null && version !== null ? [{ customerUid, version }] : [],
  );
  const carried = await readCarried(tx, merged);
  return rows.map(({ bucket, customerUid, mergedInto, version, ...row }) =>
    mergedInto === null
      ? { ...row, version, customer: toRef(bucket, customerUid) }
      : { ...row, version: carried.get(`${customerUid}/${version}`) ?? null, customer: refOf(mergedInto) },
  );
}

const INSERT_POSTINGS = `insert into order_posting (order_id, cause, type, bucket, customer_uid, version, wanted, taken, outcome, taken_elsewhere)
select $1, *
from unnest($2::text[], $3::text[], $4::smallint[], $5::uuid[], $6::bigint[], $7::bigint[], $8::bigint[], $9::text[], $10::bigint[])`;

export async function insertPostings(tx: Tx, orderId: string, rows: readonly OrderPostingRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(INSERT_POSTINGS, [
    orderId,
    rows.map((row) => row.cause),
    rows.map((row) => row.type),
    rows.map((row) => row.customer?.bucket ?? null),
    rows.map((row) => row.customer?.customerUid ?? null),
    rows.map((row) => row.version),
    rows.map((row) => row.requested),
    rows.map((row) => row.taken),
    rows.map((row) => row.result),
    rows.map((row) => row.takenElsewhere),
  ]);
}

const SELECT_PRODUCTS = `select product_id as "productId",
  coalesce(tags, '{}') as tags,
  coalesce(collections, '{}') as collections
from product
where product_id = any($1)`;

/** What is known of products, by id. */
export async function selectProducts(
  queryable: Queryable,
  productIds: readonly string[],
): Promise<ReadonlyMap<string, ProductFacts>> {
  if (productIds.length === 0) return new Map();
  const rows = await queryable.query<ProductFacts & { productId: string }>(SELECT_PRODUCTS, [productIds]);
  return new Map(rows.map(({ productId, tags, collections }) => [productId, { tags, collections }]));
}

const UPSERT_SPEND = `insert into order_spend as s (order_id, bucket, customer_uid, credited_at, spend_minor)
values ($1, $2, $3, $4, $5)
on conflict (order_id) do update
set bucket = excluded.bucket,
  customer_uid = excluded.customer_uid,
  credited_at = excluded.credited_at,
  spend_minor = excluded.spend_minor
where (s.bucket, s.customer_uid, s.credited_at, s.spend_minor)
  is distinct from (excluded.bucket, excluded.customer_uid, excluded.credited_at, excluded.spend_minor)`;

const DELETE_SPEND = `delete from order_spend
where order_id = $1`;

/** Keeps what an order counts toward its customer's tier; null: nothing. */
export async function saveSpend(
  tx: Tx,
  orderId: string,
  spend: (TierSpend & { readonly customer: CustomerRef }) | null,
): Promise<void> {
  if (spend === null) {
    await tx.execute(DELETE_SPEND, [orderId]);
    return;
  }
  const { customer, creditedAt, minor } = spend;
  await tx.execute(UPSERT_SPEND, [orderId, customer.bucket, customer.customerUid, creditedAt, minor]);
}
