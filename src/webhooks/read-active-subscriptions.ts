import type { Queryable } from "../db/pool.ts";
import type { Topic } from "./topics/index.ts";

/** The uids of the subscriptions that a transaction publishes for, by topic; a topic that has none is not there. */
export type ActiveSubscriptions = ReadonlyMap<Topic, readonly string[]>;

/** Stands for the set of subscriptions; any number that no other advisory lock of this service uses. */
const SUBSCRIPTIONS_LOCK = 7_305_441_001;

/**
 * Run first, as a statement of its own, by a transaction that will publish: while it lasts no subscription is created or
 * deleted. Only a later statement (`readActiveSubscriptions`) sees what was committed while this one waited.
 */
export const LOCK_SUBSCRIPTIONS_SHARED = `select pg_advisory_xact_lock_shared(${SUBSCRIPTIONS_LOCK})`;

/** Run first by a transaction that creates or deletes a subscription: waits for the publishing ones, holds the next ones up. */
export const LOCK_SUBSCRIPTIONS_EXCLUSIVE = `select pg_advisory_xact_lock(${SUBSCRIPTIONS_LOCK})`;

/** Topic and uid of the active subscriptions. */
export const SELECT_ACTIVE = `
select topic, uid
from subscription`;

/** Reads the active subscriptions; after `LOCK_SUBSCRIPTIONS_SHARED`, in the same transaction. */
export async function readActiveSubscriptions(tx: Queryable): Promise<ActiveSubscriptions> {
  const rows = await tx.query<{ topic: Topic; uid: string }>(SELECT_ACTIVE);
  const uidsByTopic = new Map<Topic, string[]>();
  for (const { topic, uid } of rows) uidsByTopic.set(topic, [...(uidsByTopic.get(topic) ?? []), uid]);
  return uidsByTopic;
}
