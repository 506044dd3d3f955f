import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { ActiveSubscriptions } from "./read-active-subscriptions.ts";
import type { Topic } from "./topics/index.ts";

/** What a change tells its subscriber. `version` is the customer's, and the order in which its events are delivered. */
export interface OutboxEvent {
  topic: Topic;
  bucket: number;
  customerUid: string | null;
  version: bigint | null;
  /** The body, made by the topic's `payload`; of `point_balances/export` the export's uid. */
  payload: string;
}

const INSERT_EVENTS = `
insert into outbox_event (bucket, uid, topic, customer_uid, version, payload)
select *
from unnest($1::smallint[], $2::uuid[], $3::text[], $4::uuid[], $5::bigint[], $6::text[])`;

// A delivery has its event's uid: a topic has one subscription, so an event has at most one delivery.
const INSERT_DELIVERIES = `
insert into delivery (bucket, uid, subscription_uid, customer_uid, version, due_at)
select bucket, uid, subscription_uid, customer_uid, version, $6
from unnest($1::smallint[], $2::uuid[], $3::uuid[], $4::uuid[], $5::bigint[])
  as event (bucket, uid, subscription_uid, customer_uid, version)`;

/**
 * Writes the outbox events and their deliveries, in the transaction of the change, for the topics that have a subscription;
 * two statements for any count, none where there is nothing to tell (program.md 7). `subscriptions` is what
 * `readActiveSubscriptions` answered in this transaction. The events of one customer are given in the order of their versions.
 */
export async function publishEvents(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "wake">,
  subscriptions: ActiveSubscriptions,
  events: readonly OutboxEvent[],
): Promise<void> {
  const told = events.filter((event) => subscriptions.has(event.topic));
  if (told.length === 0) return;
  const buckets = told.map((event) => event.bucket);
  const uids = told.map(() => deps.random.uid());
  const customerUids = told.map((event) => event.customerUid);
  const versions = told.map((event) => event.version);
  const topics = told.map((event) => event.topic);
  const receivers = topics.map((topic) => subscriptions.get(topic)?.uid ?? null);
  const payloads = told.map((event) => event.payload);
  const counts = await Promise.all([
    tx.execute(INSERT_EVENTS, [buckets, uids, topics, customerUids, versions, payloads]),
    tx.execute(INSERT_DELIVERIES, [buckets, uids, receivers, customerUids, versions, deps.clock.now()]),
  ]);
  if (counts.some((count) => count !== told.length))
    throw new Error(`published ${counts} rows of ${told.length} events`);
  tx.afterCommit(() => deps.wake.deliveries());
}
