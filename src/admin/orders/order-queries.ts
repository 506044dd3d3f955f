import type { Queryable } from "../../db/pool.ts";

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
