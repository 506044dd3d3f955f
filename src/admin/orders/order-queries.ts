import type { Queryable } from "../../db/pool.ts";
import type { ListedOrder } from "./list-queries.ts";

/** An order as it is kept. */
export interface StoredOrderRow extends Omit<ListedOrder, "total"> {
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

export async function selectOrder(queryable: Queryable, orderId: string): Promise<StoredOrderRow | undefined> {
  const [row] = await queryable.query<StoredOrderRow>(SELECT_ORDER, [orderId]);
  return row;
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

export function selectUsedCoupons(queryable: Queryable, orderId: string): Promise<UsedCouponRow[]> {
  return queryable.query<UsedCouponRow>(SELECT_COUPONS, [orderId]);
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
