import type { Queryable } from "../../db/pool.ts";
import type { ListedOrder } from "./list-queries.ts";

/** An order as it is kept. */
export interface KeptRow extends Omit<ListedOrder, "total"> {
  readonly platform: string;
  readonly facts: unknown;
  readonly rules: unknown;
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

export async function selectOrder(queryable: Queryable, orderId: string): Promise<KeptRow | undefined> {
  const [row] = await queryable.query<KeptRow>(SELECT_ORDER, [orderId]);
  return row;
}

/** What an order posted or settled, and the allotment of it. */
export interface PostedRow {
  readonly cause: string;
  readonly type: string | null;
  readonly wanted: bigint;
  readonly taken: bigint;
  readonly outcome: string;
  readonly uid: string | null;
  readonly allottedAt: Temporal.Instant | null;
  readonly object: string | null;
  readonly customerId: string | null;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
}

const SELECT_POSTED = `select p.cause,
  p.type,
  p.wanted,
  p.taken,
  p.outcome,
  a.uid,
  a.allotted_at as "allottedAt",
  a.object,
  c.storefront_id as "customerId",
  c.name as "customerName",
  c.email as "customerEmail"
from order_posting p
left join allotment a on a.bucket = p.bucket and a.customer_uid = p.customer_uid and a.version = p.version
left join customer c on c.bucket = p.bucket and c.customer_uid = p.customer_uid
where p.order_id = $1
order by a.allotted_at, p.cause`;

export function selectPosted(queryable: Queryable, orderId: string): Promise<PostedRow[]> {
  return queryable.query<PostedRow>(SELECT_POSTED, [orderId]);
}

export interface UsedCouponRow {
  readonly uid: string;
  readonly code: string;
  readonly points: bigint;
  readonly currencyValue: bigint;
  readonly usedAt: Temporal.Instant;
  readonly isLate: boolean;
}

const SELECT_COUPONS = `select c.uid,
  c.code,
  u.points,
  c.currency_value as "currencyValue",
  u.used_at as "usedAt",
  u.is_late as "isLate"
from coupon_use u
join coupon c on c.uid = u.coupon_uid
where u.order_id = $1
order by u.used_at, c.uid`;

export function selectCoupons(queryable: Queryable, orderId: string): Promise<UsedCouponRow[]> {
  return queryable.query<UsedCouponRow>(SELECT_COUPONS, [orderId]);
}

export interface ReceiptRow {
  readonly uid: string;
  readonly topic: string;
  readonly adapter: string;
  readonly state: string;
  readonly note: string | null;
  readonly receivedAt: Temporal.Instant;
}

/** More events of one order than these are not shown. */
const RECEIPTS_MAX = 250;

const SELECT_RECEIPTS = `select r.uid,
  r.topic,
  r.adapter,
  r.state,
  r.note,
  r.received_at as "receivedAt"
from receipt r
where r.subject = $1
  and r.subject like 'order/%'
order by r.uid
limit ${RECEIPTS_MAX}`;

export function selectReceipts(queryable: Queryable, orderId: string): Promise<ReceiptRow[]> {
  return queryable.query<ReceiptRow>(SELECT_RECEIPTS, [`order/${orderId}`]);
}

export interface TaskRow {
  readonly uid: string;
  readonly kind: string;
  readonly points: string | null;
  readonly cause: string | null;
  readonly createdAt: Temporal.Instant;
  readonly doneAt: Temporal.Instant | null;
  readonly doneBy: string | null;
}

const SELECT_TASKS = `select t.uid,
  t.kind,
  t.detail ->> 'points' as points,
  t.detail ->> 'cause' as cause,
  t.created_at as "createdAt",
  t.done_at as "doneAt",
  t.done_by as "doneBy"
from staff_task t
where t.subject = $1
order by t.created_at, t.uid`;

export function selectTasks(queryable: Queryable, orderId: string): Promise<TaskRow[]> {
  return queryable.query<TaskRow>(SELECT_TASKS, [`order/${orderId}`]);
}
