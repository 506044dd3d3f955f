import type { Queryable } from "../../db/pool.ts";

/** A delivery that used up its resends, with the outcome of its last attempt. */
export interface FailedDelivery {
  readonly uid: string;
  readonly topic: string;
  readonly lastAt: Temporal.Instant | null;
  /** A status, or why there is none. */
  readonly lastAnswer: string | null;
}

const SELECT_FAILED = `select d.uid,
  e.topic,
  a.started_at as "lastAt",
  coalesce(a.status::text, a.failure) as "lastAnswer"
from delivery d
join outbox_event e on e.bucket = d.bucket and e.uid = d.uid
left join lateral (
  select started_at, status, failure
  from attempt
  where bucket = d.bucket
    and delivery_uid = d.uid
    and coalesce(subscription_uid, d.subscription_uid) = d.subscription_uid
  order by started_at desc
  limit 1) a on true
where d.state = 'failed'
order by d.uid
limit $1`;

/** Returns the first `limit` failed deliveries, oldest first (program.md 7: they are kept, and can be replayed by hand). */
export function listFailedDeliveries(queryable: Queryable, limit: number): Promise<FailedDelivery[]> {
  return queryable.query<FailedDelivery>(SELECT_FAILED, [limit]);
}
