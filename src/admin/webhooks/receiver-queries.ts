import type { Queryable } from "../../db/pool.ts";

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
