import type { Queryable } from "../db/pool.ts";
import { type Topic, WEBHOOK_TOPICS } from "./topics/index.ts";

/** The topics for which a transaction publishes events: those that have a receiver. */
export type ActiveTopics = ReadonlySet<Topic>;

/** The advisory lock of the set of subscriptions: any number that no other advisory lock of this service uses. */
const SUBSCRIPTIONS_LOCK = 7_305_441_001;

/**
 * Run first, as a separate statement, by a transaction that will publish: while it runs, no subscription is created or deleted. Only a later
 * statement (`readActiveTopics`) sees what was committed while this one waited.
 */
export const LOCK_SUBSCRIPTIONS_SHARED = `select pg_advisory_xact_lock_shared(${SUBSCRIPTIONS_LOCK})`;

/** Run first by a transaction that creates or deletes a subscription: waits for running publishers and blocks new ones. */
export const LOCK_SUBSCRIPTIONS_EXCLUSIVE = `select pg_advisory_xact_lock(${SUBSCRIPTIONS_LOCK})`;

/** The topics that have a subscription: one index lookup for each, whatever the number of receivers. */
export const SELECT_ACTIVE = `
select t.topic
from unnest(array[${WEBHOOK_TOPICS.map(({ name }) => `'${name}'`).join(", ")}]) as t (topic)
where exists (
  select
  from subscription s
  where s.topic = t.topic)`;

/** Returns the topics that have a receiver; after `LOCK_SUBSCRIPTIONS_SHARED`, in the same transaction. */
export async function readActiveTopics(tx: Queryable): Promise<ActiveTopics> {
  const rows = await tx.query<{ topic: Topic }>(SELECT_ACTIVE);
  return new Set(rows.map(({ topic }) => topic));
}
