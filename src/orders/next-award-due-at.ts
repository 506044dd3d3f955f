import type { Queryable } from "../db/pool.ts";

const SELECT_NEXT = `select min(due_at) as "dueAt"
from store_order
where due_at is not null`;

/** Returns the earliest time at which `awardPendingOrders` has something to award; null: nothing is pending. */
export async function nextAwardDueAt(queryable: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await queryable.query<{ dueAt: Temporal.Instant | null }>(SELECT_NEXT);
  return row?.dueAt ?? null;
}
