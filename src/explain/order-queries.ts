import type { Queryable } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { decodeFacts, type StoredFacts } from "../orders/order-facts.ts";
import { decodeRules, type OrderRules } from "../orders/order-rules.ts";
import type { PostingResult } from "../orders/store-order.ts";

/** A row of `order_posting`, with the time of its allotment. */
export interface PostedCause {
  readonly cause: string;
  readonly wanted: bigint;
  readonly taken: bigint;
  readonly result: PostingResult;
  /** Null: nothing was written. */
  readonly uid: string | null;
  readonly allottedAt: Temporal.Instant | null;
}

const SELECT_ORDER_OF = `select p.order_id as "orderId",
  p.cause
from order_posting p
where p.bucket = $1
  and p.customer_uid = $2
  and p.version = $3`;

/** The order for which a version of a customer was posted, and under which cause. */
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

const SELECT_POSTED = `select p.cause,
  p.wanted,
  p.taken,
  p.outcome as result,
  a.uid,
  a.allotted_at as "allottedAt"
from order_posting p
left join allotment a on a.bucket = p.bucket and a.customer_uid = p.customer_uid and a.version = p.version
where p.order_id = $1
order by a.allotted_at, p.cause`;

/** All that an order posted or settled, in the order in which it was posted. */
export function selectPosted(queryable: Queryable, orderId: string): Promise<PostedCause[]> {
  return queryable.query<PostedCause>(SELECT_POSTED, [orderId]);
}

/** An order as it is kept. */
export interface KeptOrder {
  readonly facts: StoredFacts;
  readonly rules: OrderRules;
  readonly awardablePoints: bigint;
  readonly awardedPoints: bigint;
  readonly redeemedPoints: bigint;
  readonly forgivenPoints: bigint;
}

const SELECT_KEPT = `select o.facts,
  o.rules,
  o.awardable_points as "awardablePoints",
  o.awarded_points as "awardedPoints",
  o.redeemed_points as "redeemedPoints",
  o.forgiven_points as "forgivenPoints"
from store_order o
where o.order_id = $1
  and o.rules is not null`;

export async function selectKept(queryable: Queryable, orderId: string): Promise<KeptOrder | undefined> {
  const [row] = await queryable.query<KeptOrder>(SELECT_KEPT, [orderId]);
  return row && { ...row, facts: decodeFacts(row.facts), rules: decodeRules(row.rules) };
}

/** What came of an order: a delivery of the platform or an event of a script. */
export interface ReceivedEvent {
  readonly topic: string;
  readonly adapter: string;
  readonly deliveryKey: string;
  readonly state: string;
  readonly receivedAt: Temporal.Instant;
}

const RECEIPTS_MAX = 250;

const SELECT_RECEIPTS = `select r.topic,
  r.adapter,
  r.delivery_key as "deliveryKey",
  r.state,
  r.received_at as "receivedAt"
from receipt r
where r.subject = $1
  and r.subject like 'order/%'
order by r.uid
limit ${RECEIPTS_MAX}`;

export function selectReceived(queryable: Queryable, orderId: string): Promise<ReceivedEvent[]> {
  return queryable.query<ReceivedEvent>(SELECT_RECEIPTS, [`order/${orderId}`]);
}
