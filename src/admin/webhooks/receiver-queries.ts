import type { Queryable } from "../../db/pool.ts";
import { COUNTED_MAX } from "../../wire/limits.ts";

const SELECT_WAITING = `select s.uid
from subscription s
where s.topic = any($1)`;

/** Returns the subscriptions of topics. */
export async function selectSubscriptionUids(queryable: Queryable, topics: readonly string[]): Promise<string[]> {
  return (await queryable.query<{ uid: string }>(SELECT_WAITING, [topics])).map(({ uid }) => uid);
}

const SELECT_DELIVERED_TOPICS = `select t.topic
from unnest($1::text[]) as t (topic)
where exists (
  select
  from outbox_event e
  where e.topic = t.topic)`;

/** Returns those of the topics of which any delivered event is stored. */
export async function selectDeliveredTopics(queryable: Queryable, topics: readonly string[]): Promise<string[]> {
  return (await queryable.query<{ topic: string }>(SELECT_DELIVERED_TOPICS, [topics])).map(({ topic }) => topic);
}

const COUNT_FAILED = `select count(*)
from (
  select
  from delivery d
  where d.subscription_uid = any($1)
    and d.state = 'failed'
    and d.due_at >= coalesce($2::timestamptz, '-infinity')
  limit ${COUNTED_MAX + 1}) counted`;

/** Returns how many deliveries of subscriptions failed at or after `since`; null: ever. Counts up to `COUNTED_MAX` plus one. */
export async function countFailed(
  queryable: Queryable,
  subscriptionUids: readonly string[],
  since: Temporal.Instant | null,
): Promise<bigint> {
  const [row] = await queryable.query<{ count: bigint }>(COUNT_FAILED, [subscriptionUids, since]);
  return row?.count ?? 0n;
}
