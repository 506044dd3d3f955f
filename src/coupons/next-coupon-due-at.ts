import type { Queryable } from "../db/pool.ts";

const SELECT_NEXT = `select min(due_at) as "dueAt"
from coupon
where state = 'open'`;

/** The earliest time at which `expireCoupons` has a coupon to close; null: none is open. */
export async function nextCouponDueAt(queryable: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await queryable.query<{ dueAt: Temporal.Instant | null }>(SELECT_NEXT);
  return row?.dueAt ?? null;
}
