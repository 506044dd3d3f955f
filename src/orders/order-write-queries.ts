import type { Tx } from "../db/pool.ts";
import { staleRead } from "../db/stale-read.ts";
import { unnested } from "../db/unnested.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { encodeFacts } from "./facts/order-facts.ts";
import type { AwardPrice } from "./plan/award-price.ts";
import { encodeRules, type OrderRules } from "./plan/order-rules.ts";
import type { TierSpend } from "./plan/tier-spend.ts";
import type { OrderPostingRow, StoreOrder } from "./store-order.ts";

/** The data of an order that is written after its events or the time changed it. */
export interface OrderUpdate extends StoreOrder {
  readonly email: string | null;
  readonly rules: OrderRules;
  readonly awardablePoints: bigint;
  readonly awardedPoints: bigint;
  readonly redeemedPoints: bigint;
  readonly forgivenPoints: bigint;
  readonly dueAt: Temporal.Instant | null;
}

/** What an order counts toward its customer's tier; null: nothing. */
export interface CountedSpend {
  readonly orderId: string;
  readonly spend: (TierSpend & { readonly customer: CustomerRef }) | null;
}

// A second transaction waits here for the first one's commit, and writes nothing.
const OPEN_ORDER = `insert into store_order (order_id, platform, facts, received_at)
values ($1, $2, $3, $4)
on conflict (order_id) do nothing`;

/** Inserts the facts of a new order, before anything else is known about it; false: another transaction has just inserted it. */
export async function insertOrder(
  tx: Tx,
  order: Pick<StoreOrder, "orderId" | "platform" | "facts" | "receivedAt">,
): Promise<boolean> {
  const facts = JSON.stringify(encodeFacts(order.facts));
  return (await tx.execute(OPEN_ORDER, [order.orderId, order.platform, facts, order.receivedAt])) === 1;
}

const STATE = unnested([
  "order_id text",
  "bucket smallint",
  "customer_uid uuid",
  "email text",
  "facts text",
  "rules text",
  "rules_for text",
  "awardable_points bigint",
  "awarded_points bigint",
  "redeemed_points bigint",
  "forgiven_points bigint",
  "due_at timestamptz",
]);

const INSERT_ORDERS = `insert into store_order (order_id, bucket, customer_uid, email, facts, rules, rules_for, awardable_points,
  awarded_points, redeemed_points, forgiven_points, due_at, platform, received_at)
select order_id, bucket, customer_uid, email, facts::jsonb, rules::jsonb, rules_for, awardable_points,
  awarded_points, redeemed_points, forgiven_points, due_at, platform, received_at
from (${STATE}, unnest($13::text[]) as platform, unnest($14::timestamptz[]) as received_at) u
order by order_id
on conflict (order_id) do nothing`;

/** Inserts new orders in their present state. If another transaction has just inserted one, the transaction starts over and finds it. */
export async function insertOrders(tx: Tx, orders: readonly OrderUpdate[]): Promise<void> {
  if (orders.length === 0) return;
  const made = await tx.execute(INSERT_ORDERS, [
    ...stateColumns(orders),
    orders.map(({ platform }) => platform),
    orders.map(({ receivedAt }) => receivedAt),
  ]);
  if (made !== orders.length) throw staleRead(`of ${orders.length} orders ${made} were new`);
}

const UPDATE_ORDERS = `update store_order o
set bucket = u.bucket,
  customer_uid = u.customer_uid,
  email = u.email,
  facts = u.facts::jsonb,
  rules = u.rules::jsonb,
  rules_for = u.rules_for,
  awardable_points = u.awardable_points,
  awarded_points = u.awarded_points,
  redeemed_points = u.redeemed_points,
  forgiven_points = u.forgiven_points,
  due_at = u.due_at
from (${STATE}) u
where o.order_id = u.order_id`;

/** Writes the results of orders, which must be locked. */
export async function updateOrders(tx: Tx, orders: readonly OrderUpdate[]): Promise<void> {
  if (orders.length > 0) await tx.execute(UPDATE_ORDERS, stateColumns(orders));
}

function stateColumns(orders: readonly OrderUpdate[]) {
  return [
    orders.map(({ orderId }) => orderId),
    orders.map(({ customer }) => customer?.bucket ?? null),
    orders.map(({ customer }) => customer?.customerUid ?? null),
    orders.map(({ email }) => email),
    orders.map(({ facts }) => JSON.stringify(encodeFacts(facts))),
    orders.map(({ rules }) => JSON.stringify(encodeRules(rules))),
    orders.map(({ rulesFor }) => rulesFor),
    orders.map(({ awardablePoints }) => awardablePoints),
    orders.map(({ awardedPoints }) => awardedPoints),
    orders.map(({ redeemedPoints }) => redeemedPoints),
    orders.map(({ forgivenPoints }) => forgivenPoints),
    orders.map(({ dueAt }) => dueAt),
  ];
}

const INSERT_POSTINGS = `insert into order_posting (order_id, cause, type, bucket, customer_uid, version, wanted, taken, outcome, taken_elsewhere,
  price_minor, credited_at)
${unnested([
  "order_id text",
  "cause text",
  "type text",
  "bucket smallint",
  "customer_uid uuid",
  "version bigint",
  "wanted bigint",
  "taken bigint",
  "outcome text",
  "taken_elsewhere bigint",
  "price_minor bigint",
  "credited_at timestamptz",
])}`;

/** A posting or settled cause, with its order. */
export interface OwnedPostingRow {
  readonly orderId: string;
  readonly row: OrderPostingRow;
  /** Undefined: it gave no points of the order's own. */
  readonly price: AwardPrice | undefined;
}

export async function insertPostings(tx: Tx, postings: readonly OwnedPostingRow[]): Promise<void> {
  if (postings.length === 0) return;
  await tx.execute(INSERT_POSTINGS, [
    postings.map(({ orderId }) => orderId),
    postings.map(({ row }) => row.cause),
    postings.map(({ row }) => row.type),
    postings.map(({ row }) => row.customer?.bucket ?? null),
    postings.map(({ row }) => row.customer?.customerUid ?? null),
    postings.map(({ row }) => row.version),
    postings.map(({ row }) => row.requested),
    postings.map(({ row }) => row.taken),
    postings.map(({ row }) => row.result),
    postings.map(({ row }) => row.takenElsewhere),
    postings.map(({ price }) => price?.minor ?? null),
    postings.map(({ price }) => price?.creditedAt ?? null),
  ]);
}

const UPSERT_SPENDS = `insert into order_spend as s (order_id, bucket, customer_uid, credited_at, spend_minor)
${unnested(["order_id text", "bucket smallint", "customer_uid uuid", "credited_at timestamptz", "spend_minor bigint"])}
on conflict (order_id) do update
set bucket = excluded.bucket,
  customer_uid = excluded.customer_uid,
  credited_at = excluded.credited_at,
  spend_minor = excluded.spend_minor
where (s.bucket, s.customer_uid, s.credited_at, s.spend_minor)
  is distinct from (excluded.bucket, excluded.customer_uid, excluded.credited_at, excluded.spend_minor)`;

const DELETE_SPENDS = `delete from order_spend
where order_id = any($1)`;

/** Stores what orders, each named once, count toward their customers' tiers. */
export async function saveSpends(tx: Tx, orders: readonly CountedSpend[]): Promise<void> {
  const counted = orders.flatMap(({ orderId, spend }) => (spend === null ? [] : [{ orderId, ...spend }]));
  const rest = orders.flatMap(({ orderId, spend }) => (spend === null ? [orderId] : []));
  await Promise.all([
    counted.length > 0 &&
      tx.execute(UPSERT_SPENDS, [
        counted.map(({ orderId }) => orderId),
        counted.map(({ customer }) => customer.bucket),
        counted.map(({ customer }) => customer.customerUid),
        counted.map(({ creditedAt }) => creditedAt),
        counted.map(({ minor }) => minor),
      ]),
    rest.length > 0 && tx.execute(DELETE_SPENDS, [rest]),
  ]);
}
