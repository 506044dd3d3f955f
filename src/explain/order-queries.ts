import type { Queryable } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { decodeFacts, type StoredFacts } from "../orders/facts/order-facts.ts";
import { decodeRules, type OrderRules } from "../orders/plan/order-rules.ts";
import type { PostingResult } from "../orders/store-order.ts";

/** What an order posted or settled under one cause, with the time of its allotment. */
export interface PostedCause {
  readonly cause: string;
  readonly requested: bigint;
  readonly taken: bigint;
  readonly result: PostingResult;
  /** Null: nothing was written. */
  readonly uid: string | null;
  readonly allottedAt: Temporal.Instant | null;
}

/** The same, with its allotment and the customer. */
export interface OrderPosting extends PostedCause {
  readonly type: string | null;
  readonly object: string | null;
  readonly customerId: string | null;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
}

const SELECT_ORDER_OF = `select p.order_id as "orderId",
  p.cause
from order_posting p
where p.bucket = $1
  and p.customer_uid = $2
  and p.version = $3`;

/** Returns the order and the cause for which a version of a customer was posted. */
export async function selectOrderOf(
  queryable: Queryable,
  { bucket, customerUid, version }: CustomerRef & { readonly version: bigint },
): Promise<{ readonly orderId: string; readonly cause: string } | undefined> {
  const [row] = await queryable.query<{ orderId: string; cause: string }>(SELECT_ORDER_OF, [
    bucket,
    customerUid,
    version,
  ]);
  return row;
}

// The order's postings are read again beside its allotments: a Citus would otherwise bring every allotment to the coordinator.
const SELECT_POSTINGS = `select p.cause,
  p.type,
  p.wanted as requested,
  p.taken,
  p.outcome as result,
  a.uid,
  a.allotted_at as "allottedAt",
  a.object,
  p.storefront_id as "customerId",
  p.name as "customerName",
  p.email as "customerEmail"
from (
  select p.*, c.storefront_id, c.name, c.email
  from order_posting p
  left join customer c on c.bucket = p.bucket and c.customer_uid = p.customer_uid
  where p.order_id = $1) p
left join (
  select a.bucket, a.customer_uid, a.version, a.uid, a.allotted_at, a.object
  from order_posting q
  join allotment a on a.bucket = q.bucket and a.customer_uid = q.customer_uid and a.version = q.version
  where q.order_id = $1) a on a.bucket = p.bucket and a.customer_uid = p.customer_uid and a.version = p.version
order by a.allotted_at, p.cause`;

/** Returns everything that an order posted or settled, in the order of posting. */
export function selectOrderPostings(queryable: Queryable, orderId: string): Promise<OrderPosting[]> {
  return queryable.query<OrderPosting>(SELECT_POSTINGS, [orderId]);
}

/** An order as it is stored. */
export interface StoredOrderFacts {
  readonly orderId: string;
  readonly orderName: string | null;
  readonly processedAt: Temporal.Instant;
  readonly state: string;
  readonly platform: string;
  readonly facts: StoredFacts;
  /** Null: nothing has been computed for it yet. */
  readonly rules: OrderRules | null;
  readonly storefrontId: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly isDeleted: boolean;
  readonly guestEmail: string | null;
  readonly awardablePoints: bigint;
  readonly awardedPoints: bigint;
  readonly redeemedPoints: bigint;
  readonly forgivenPoints: bigint;
  readonly dueAt: Temporal.Instant | null;
  readonly receivedAt: Temporal.Instant;
}

const SELECT_ORDER = `select o.order_id as "orderId",
  o.order_name as "orderName",
  o.processed_at as "processedAt",
  o.state,
  o.platform,
  o.facts,
  o.rules,
  c.storefront_id as "storefrontId",
  c.name,
  c.email,
  coalesce(c.deleted_at is not null, false) as "isDeleted",
  case when o.customer_uid is null then o.email end as "guestEmail",
  o.awardable_points as "awardablePoints",
  o.awarded_points as "awardedPoints",
  o.redeemed_points as "redeemedPoints",
  o.forgiven_points as "forgivenPoints",
  o.due_at as "dueAt",
  o.received_at as "receivedAt"
from store_order o
left join customer c on c.bucket = o.bucket and c.customer_uid = o.customer_uid
where o.order_id = $1`;

export async function selectOrder(queryable: Queryable, orderId: string): Promise<StoredOrderFacts | undefined> {
  const [row] = await queryable.query<StoredOrderFacts>(SELECT_ORDER, [orderId]);
  if (row === undefined) return undefined;
  return { ...row, facts: decodeFacts(row.facts), rules: row.rules === null ? null : decodeRules(row.rules) };
}

/** An event of an order: a delivery of the platform or an event of a script. */
export interface OrderReceipt {
  readonly uid: string;
  readonly topic: string;
  readonly adapter: string;
  readonly deliveryKey: string;
  readonly state: string;
  readonly note: string | null;
  readonly receivedAt: Temporal.Instant;
}

/** Further events of an order are not shown. */
const RECEIPTS_MAX = 250;

const SELECT_RECEIPTS = `select r.uid,
  r.topic,
  r.adapter,
  r.delivery_key as "deliveryKey",
  r.state,
  r.note,
  r.received_at as "receivedAt"
from receipt r
where r.subject = $1
  and r.subject like 'order/%'
order by r.uid
limit ${RECEIPTS_MAX}`;

/** Returns the events of an order, in the order of arrival. */
export function selectOrderReceipts(queryable: Queryable, orderId: string): Promise<OrderReceipt[]> {
  return queryable.query<OrderReceipt>(SELECT_RECEIPTS, [`order/${orderId}`]);
}
