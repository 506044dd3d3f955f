import type { Deps } from "../../deps.ts";
import { bitOf } from "../event-batch.ts";
import type { Topic } from "../topics/index.ts";
import type { BatchedDelivery } from "./delivery.ts";
import { HOLDING_ATTEMPTS_MAX } from "./retry-schedule.ts";
import type { BatchCache, WrittenEvent } from "./written-batch.ts";

// Whole batches, until they have $3 events; at least one batch. `isHeld`: an earlier delivery of the customer waits and is not in memory. For
// batches whose events are in memory ($7), only the position is read, unless the receiver has such waiting deliveries. `offset 0`: each event is found by its
// key, whatever the statistics expect (`read-due.ts`).
const SELECT_BATCHES = `
with next as materialized (
  select b.*, sum(cardinality(b.uids)) over (order by b.position) - cardinality(b.uids) as before
  from (
    select b.uid, b.position, b.due_at, b.inserted_at, b.settled, b.buckets, b.uids
    from topic_batch b
    where b.topic = $1
      and b.position > $2
    order by b.position
    limit $3) b),
waiting as materialized (
  select not $4 and (
    select true
    from delivery
    where subscription_uid = $6
      and state = 'waiting'
      and uid <> all($5::uuid[])
    order by due_at -- by the index: a look for any row may go through all that other receivers wait for
    limit 1) is not null as "hasOthers")
select next.uid as "batchUid", next.position, next.due_at as "dueAt", next.inserted_at as "eventAt", next.settled,
  cardinality(next.uids) as count, (one.n - 1)::integer as n, one.bucket, one.uid, e.customer_uid as "customerUid", e.version, e.payload,
  e.traceparent,
  waiting."hasOthers" and exists (
    select
    from delivery earlier
    where earlier.subscription_uid = $6
      and earlier.customer_uid = e.customer_uid
      and (earlier.version, earlier.uid) < (e.version, one.uid)
      and earlier.state = 'waiting'
      and earlier.attempts <= ${HOLDING_ATTEMPTS_MAX}
      and earlier.uid <> all($5::uuid[])) as "isHeld"
from waiting
cross join next
left join lateral unnest(next.buckets, next.uids) with ordinality as one (bucket, uid, n)
  on waiting."hasOthers" or next.uid <> all($7::uuid[])
left join lateral (
  select customer_uid, version, payload, traceparent
  from outbox_event
  where bucket = one.bucket
    and uid = one.uid
  offset 0) e on true
where next.before < $3
order by next.position, one.n`;

interface Row {
  readonly batchUid: string;
  readonly position: bigint;
  readonly dueAt: Temporal.Instant;
  readonly eventAt: Temporal.Instant;
  readonly settled: bigint;
  readonly count: number;
  /** null: the batch's events are in memory. */
  readonly n: number | null;
  readonly bucket: number;
  readonly uid: string;
  readonly customerUid: string | null;
  readonly version: bigint | null;
  /** null: the event was replaced within its transaction. */
  readonly payload: string | null;
  readonly traceparent: string | null;
  readonly isHeld: boolean;
}

export interface BatchQuery {
  readonly topic: Topic;
  readonly subscriptionUid: string;
  /** Batches up to this position are already in memory. */
  readonly afterPosition: bigint;
  /** Deliveries in memory that have their own rows. */
  readonly knownUids: readonly string[];
  /** A dead receiver gets every due delivery; a healthy one gets a customer's deliveries one after the other. */
  readonly isDead: boolean;
  readonly eventsMax: number;
  readonly batchCache: Readonly<BatchCache>;
}

/** A batch of the stream. */
export interface ReadBatch {
  readonly position: bigint;
  readonly uid: string;
  readonly count: number;
  /** The bits of its events that go to no receiver. */
  settled: bigint;
  readonly deliveries: { readonly delivery: BatchedDelivery; readonly isHeld: boolean }[];
}

/** Returns the next batches of a topic's stream, in the order of their positions, with `eventsMax` events or a little more. */
export async function readBatches(deps: Pick<Deps, "db">, query: BatchQuery): Promise<ReadBatch[]> {
  const rows = await deps.db.query<Row>(SELECT_BATCHES, [
    query.topic,
    query.afterPosition,
    query.eventsMax,
    query.isDead,
    query.knownUids,
    query.subscriptionUid,
    [...query.batchCache.keys()],
  ]);
  const batches: ReadBatch[] = [];
  for (const row of rows) {
    let batch = batches.at(-1);
    if (batch?.position !== row.position) {
      batch = { position: row.position, uid: row.batchUid, count: row.count, settled: row.settled, deliveries: [] };
      batches.push(batch);
    }
    const { payload, n } = row;
    if (n === null) addCached(batch, row, query.batchCache.get(row.batchUid)?.events ?? []);
    else if (payload === null) batch.settled |= bitOf(n);
    else batch.deliveries.push({ delivery: deliveryOf(row, { ...row, payload }, n), isHeld: row.isHeld });
  }
  return batches;
}

function addCached(batch: ReadBatch, row: Row, events: readonly WrittenEvent[]): void {
  if (events.length !== row.count) throw new Error(`batch ${row.batchUid} has ${row.count} events`);
  events.forEach((event, n) => {
    if ((row.settled & bitOf(n)) === 0n) batch.deliveries.push({ delivery: deliveryOf(row, event, n), isHeld: false });
  });
}

function deliveryOf(
  { batchUid, position, dueAt, eventAt }: Row,
  { bucket, uid, customerUid, version, payload, traceparent }: WrittenEvent,
  n: number,
): BatchedDelivery {
  return {
    bucket,
    uid,
    customerUid,
    version,
    dueAt,
    eventAt,
    payload,
    traceparent,
    attempts: 0,
    kind: "first",
    place: { position, batchUid, n },
  };
}
