import type { Queryable } from "../../db/pool.ts";

// Jumps from one subscription to the next by the index: there may be millions of failed rows of a few subscriptions.
const SELECT_FAILED = `with recursive failing as (
  (select d.subscription_uid as uid
  from delivery d
  where d.state = 'failed'
  order by d.subscription_uid
  limit 1)
  union all
  select (
    select d.subscription_uid
    from delivery d
    where d.state = 'failed'
      and d.subscription_uid > failing.uid
    order by d.subscription_uid
    limit 1)
  from failing
  where failing.uid is not null)
select failing.uid,
  e.topic,
  s.uid as "nextUid",
  s.revivals
from failing
cross join lateral (
  select d.bucket, d.uid
  from delivery d
  where d.subscription_uid = failing.uid
    and d.state = 'failed'
  order by d.due_at, d.uid
  limit 1) d
join outbox_event e on e.bucket = d.bucket and e.uid = d.uid
left join lateral (
  select s.uid, s.revivals
  from subscription s
  where s.uid = failing.uid
    or (s.topic = e.topic and not s.is_additional)
  order by s.uid = failing.uid desc
  limit 1) s on true
where failing.uid is not null
  and e.topic = any($1)`;

/** A subscription, possibly deleted, with failed deliveries. */
export interface FailingSubscription {
  readonly uid: string;
  readonly topic: string;
  /** The subscription to which failed deliveries can be sent again: itself if it exists, else its topic's present one; null: there is none. */
  readonly nextUid: string | null;
  /** The revivals of that subscription. */
  readonly revivals: number | null;
}

export function selectFailingSubscriptions(
  queryable: Queryable,
  topics: readonly string[],
): Promise<FailingSubscription[]> {
  return queryable.query<FailingSubscription>(SELECT_FAILED, [topics]);
}
