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

const FORGET_DELIVERIES = `
delete from delivery
where (bucket, uid) in (select * from unnest($1::smallint[], $2::uuid[]))`;

const FORGET_EVENTS = `
delete from outbox_event
where (bucket, uid) in (select * from unnest($1::smallint[], $2::uuid[]))`;

interface EventKey {
  readonly bucket: number;
  readonly uid: string;
}

/** The `point_balance/update` of each customer that an open transaction has written, by the customer's uid. */
const updatesOf = new WeakMap<Tx, Map<string, EventKey>>();

/**
 * Writes the outbox events and their deliveries, in the transaction of the change, for the topics that have a subscription;
 * two statements for any count, none where there is nothing to tell (program.md 7). `subscriptions` is what
 * `readActiveSubscriptions` answered in this transaction. The events of one customer are given in the order of their versions. A
 * `point_balance/update` takes the place of an earlier one of the same customer and transaction: it tells what came of all.
 */
export async function publishEvents(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "wake">,
  subscriptions: ActiveSubscriptions,
  events: readonly OutboxEvent[],
): Promise<void> {
  const published = events.filter((event) => subscriptions.has(event.topic));
  if (published.length === 0) return;
  const keys = published.map(({ bucket }): EventKey => ({ bucket, uid: deps.random.uid() }));
  const replaced = replacedBy(tx, published, keys);
  const buckets = keys.map(({ bucket }) => bucket);
  const uids = keys.map(({ uid }) => uid);
  const customerUids = published.map((event) => event.customerUid);
  const versions = published.map((event) => event.version);
  const topics = published.map((event) => event.topic);
  const receivers = topics.map((topic) => subscriptions.get(topic)?.uid ?? null);
  const payloads = published.map((event) => event.payload);
  const [, ...counts] = await Promise.all([
    replaced.length === 0 ? 0 : forget(tx, replaced),
    tx.execute(INSERT_EVENTS, [buckets, uids, topics, customerUids, versions, payloads]),
    tx.execute(INSERT_DELIVERIES, [buckets, uids, receivers, customerUids, versions, deps.clock.now()]),
  ]);
  if (counts.some((count) => count !== published.length))
    throw new Error(`published ${counts} rows of ${published.length} events`);
  tx.afterCommit(() => deps.wake.deliveries());
}

/** Keeps which updates the transaction has written, and returns those that they replace. */
function replacedBy(tx: Tx, published: readonly OutboxEvent[], keys: readonly EventKey[]): EventKey[] {
  const updates = updatesOf.get(tx) ?? new Map<string, EventKey>();
  updatesOf.set(tx, updates);
  return published.flatMap(({ topic, customerUid }, i) => {
    const key = keys[i];
    if (topic !== "point_balance/update" || customerUid === null || key === undefined) return [];
    const earlier = updates.get(customerUid);
    updates.set(customerUid, key);
    return earlier === undefined ? [] : [earlier];
  });
}

async function forget(tx: Tx, keys: readonly EventKey[]): Promise<void> {
  const params = [keys.map(({ bucket }) => bucket), keys.map(({ uid }) => uid)];
  await Promise.all([tx.execute(FORGET_DELIVERIES, params), tx.execute(FORGET_EVENTS, params)]);
}
