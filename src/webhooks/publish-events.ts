import type { Param } from "../db/encode-param.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { currentTraceparent } from "../instruments/request-scope.ts";
import type { WrittenBatch, WrittenEvent } from "./delivery/written-batch.ts";
import { type BatchPlace, bitsByBatch, placesOf } from "./event-batch.ts";
import type { ActiveTopics } from "./read-active-topics.ts";
import type { Topic } from "./topics/index.ts";

/** An event for subscribers. `version` is the customer's version, which determines the order in which its events are delivered. */
export interface OutboxEvent {
  topic: Topic;
  bucket: number;
  customerUid: string | null;
  version: bigint | null;
  /** The body, made by the topic's `payload`; for `point_balances/export` the export's uid. */
  payload: string;
  /** The trace that it belongs to; absent: that of the current request, if any. */
  traceparent?: string | undefined;
}

const INSERT_EVENTS = `
insert into outbox_event (bucket, uid, topic, customer_uid, version, payload)
select *
from unnest($1::smallint[], $2::uuid[], $3::text[], $4::uuid[], $5::bigint[], $6::text[])`;

// Used by a service with traces.
const INSERT_TRACED_EVENTS = `
insert into outbox_event (bucket, uid, topic, customer_uid, version, payload, traceparent)
select *
from unnest($1::smallint[], $2::uuid[], $3::text[], $4::uuid[], $5::bigint[], $6::text[], $7::text[])`;

const INSERT_BATCHES = `
insert into topic_batch (uid, topic, due_at, buckets, uids)
select event.batch_uid, event.topic, $5, array_agg(event.bucket order by event.n), array_agg(event.uid order by event.n)
from unnest($1::smallint[], $2::uuid[], $3::text[], $4::uuid[]) with ordinality as event (bucket, uid, topic, batch_uid, n)
group by event.batch_uid, event.topic`;

const SETTLE_REPLACED = `
update topic_batch b
set settled = b.settled | gone.bits
from unnest($1::uuid[], $2::bigint[]) as gone (uid, bits)
where b.uid = gone.uid`;

// Deletes batches in which no event is left.
const DELETE_SETTLED = `
delete from topic_batch b
where b.uid = any($1::uuid[])
  and bit_count(b.settled::bit(64)) = cardinality(b.uids)`;

const FORGET_EVENTS = `
delete from outbox_event
where (bucket, uid) in (select * from unnest($1::smallint[], $2::uuid[]))`;

interface PublishedEvent {
  readonly bucket: number;
  readonly uid: string;
  readonly place: BatchPlace;
}

/** The `point_balance/update` of each customer that an open transaction has written, by the transaction's key and the customer's uid. */
const updatesOf = new WeakMap<object, Map<string, PublishedEvent>>();

/**
 * Writes outbox events, and the batches in which they wait, in the transaction of the change, for the topics that have a subscription. It takes two
 * statements for any number of events and receivers, and none if there are no events (program.md 7). `topics` is the result of `readActiveTopics` in
 * this transaction. The events of one customer must be in the order of their versions. A `point_balance/update` replaces an earlier one of the
 * same customer and transaction, because it contains the final result.
 */
export async function publishEvents(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "wake">,
  topics: ActiveTopics,
  events: readonly OutboxEvent[],
): Promise<void> {
  const published = events.filter((event) => topics.has(event.topic));
  if (published.length === 0) return;
  const uids = published.map(() => deps.random.uid());
  const names = published.map(({ topic }) => topic);
  const places = placesOf(names.map((topic, i) => ({ topic, uid: uids[i] ?? "" })));
  const replaced = replacedBy(
    tx,
    published,
    published.map(({ bucket }, i) => ({ bucket, uid: uids[i] ?? "", place: places[i] ?? { batchUid: "", n: 0 } })),
  );
  const buckets = published.map(({ bucket }) => bucket);
  const customerUids = published.map((event) => event.customerUid);
  const versions = published.map((event) => event.version);
  const payloads = published.map((event) => event.payload);
  const batchUids = places.map(({ batchUid }) => batchUid);
  const traces = tracesOf(published);
  const [, eventCount, batchCount] = await Promise.all([
    replaced.length > 0 && deleteReplaced(tx, replaced),
    insertEvents(tx, traces, [buckets, uids, names, customerUids, versions, payloads]),
    tx.execute(INSERT_BATCHES, [buckets, uids, names, batchUids, deps.clock.now()]),
  ]);
  const batches = places.filter(({ n }) => n === 0).length;
  if (eventCount !== published.length || batchCount !== batches)
    throw new Error(`published ${eventCount} of ${published.length} events, ${batchCount} of ${batches} batches`);
  const written = published.map((event, i) => ({ ...event, uid: uids[i] ?? "", traceparent: traces[i] ?? null }));
  tx.afterCommit(() => deps.wake.deliveries(writtenBatches(written, places)));
}

/** Returns the batches of events for the workers of this process. */
function writtenBatches(
  events: readonly (WrittenEvent & { readonly topic: Topic })[],
  places: readonly BatchPlace[],
): WrittenBatch[] {
  const batches = new Map<string, WrittenBatch & { readonly events: WrittenEvent[] }>();
  events.forEach((event, i) => {
    const { batchUid = "" } = places[i] ?? {};
    const batch = batches.get(batchUid);
    if (batch === undefined) batches.set(batchUid, { topic: event.topic, uid: batchUid, events: [event] });
    else batch.events.push(event);
  });
  return [...batches.values()];
}

function tracesOf(events: readonly OutboxEvent[]): (string | null)[] {
  const own = currentTraceparent();
  return events.map(({ traceparent }) => traceparent ?? own ?? null);
}

function insertEvents(tx: Tx, traces: readonly (string | null)[], columns: readonly Param[]): Promise<number> {
  if (traces.every((trace) => trace === null)) return tx.execute(INSERT_EVENTS, columns);
  return tx.execute(INSERT_TRACED_EVENTS, [...columns, traces]);
}

/** Records which updates the transaction has written, and returns those that they replace. Undoing a savepoint restores these. */
function replacedBy(tx: Tx, published: readonly OutboxEvent[], written: readonly PublishedEvent[]): PublishedEvent[] {
  const updates = updatesOf.get(tx.key) ?? new Map<string, PublishedEvent>();
  updatesOf.set(tx.key, updates);
  return published.flatMap(({ topic, customerUid }, i) => {
    const own = written[i];
    if (topic !== "point_balance/update" || customerUid === null || own === undefined) return [];
    const earlier = updates.get(customerUid);
    updates.set(customerUid, own);
    tx.whenUndone(() => void (earlier === undefined ? updates.delete(customerUid) : updates.set(customerUid, earlier)));
    return earlier === undefined ? [] : [earlier];
  });
}

async function deleteReplaced(tx: Tx, replaced: readonly PublishedEvent[]): Promise<void> {
  const { uids, bits } = bitsByBatch(replaced.map(({ place }) => place));
  await Promise.all([
    tx.execute(SETTLE_REPLACED, [uids, bits]),
    tx.execute(DELETE_SETTLED, [uids]),
    tx.execute(FORGET_EVENTS, [replaced.map(({ bucket }) => bucket), replaced.map(({ uid }) => uid)]),
  ]);
}
