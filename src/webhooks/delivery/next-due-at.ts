import type { Queryable } from "../../db/pool.ts";
import { heldBack } from "../queries.ts";
import { DEAD_AFTER_FAILURES, HOLDING_ATTEMPTS_MAX } from "./retry-schedule.ts";

const SELECT_NEXT = `
select min(next.due_at) as "dueAt"
from subscription s
cross join lateral (
  (select d.due_at
  from delivery d
  where d.subscription_uid = s.uid
    and d.state = 'waiting'
    and (s.failures >= $1 or not ${heldBack("$2")})
  order by d.due_at
  limit 1)
  union all
  (select b.due_at
  from receiver_cursor c
  join topic_batch b on b.topic = s.topic and b.position > c.position
  where c.subscription_uid = s.uid
  order by b.position
  limit 1)
  union all
  (select b.due_at
  from topic_batch b
  where b.topic = s.topic
    and b.position is null
  limit 1)
  union all
  (select b.due_at
  from event_batch b
  where b.subscription_uid = s.uid
  order by b.uid
  limit 1)) next`;

/**
 * Returns the earliest time at which a delivery is due, by the business clock; null if none waits. The sandbox clock stops at this time. A delivery
 * in flight stays due until its outcome is recorded. Early tries are not included, because they wait for no time.
 */
export async function nextDueAt(db: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await db.query<{ dueAt: Temporal.Instant | null }>(SELECT_NEXT, [
    DEAD_AFTER_FAILURES,
    HOLDING_ATTEMPTS_MAX,
  ]);
  return row?.dueAt ?? null;
}
