import type { Deps } from "../deps.ts";
import type { BatchedDelivery } from "./delivery.ts";
import { HOLDING_ATTEMPTS_MAX } from "./retry-schedule.ts";

// Whole batches, until they hold $6 events; one always. `isHeld`: an earlier delivery of the customer waits and is not in memory.
const SELECT_BATCHES = `
with next as materialized (
  select b.uid, b.due_at, b.inserted_at, b.settled, b.buckets, b.uids,
    sum(cardinality(b.uids)) over (order by b.uid) - cardinality(b.uids) as before
  from (
    select b.*
    from subscription s
    join event_batch b on b.subscription_uid = s.uid
    where s.uid = $1
      and b.due_at <= $2::timestamptz + interval '5 seconds'
      and b.uid <> all($3::uuid[])
    order by b.uid
    limit $6) b)
select next.uid as "batchUid", next.due_at as "dueAt", next.inserted_at as "eventAt",
  (one.n - 1)::integer as n, e.bucket, e.uid, e.customer_uid as "customerUid", e.version, e.payload, e.traceparent,
  not $4 and exists (
    select
    from delivery earlier
    where earlier.subscription_uid = $1
      and earlier.customer_uid = e.customer_uid
      and (earlier.version, earlier.uid) < (e.version, e.uid)
      and earlier.state = 'waiting'
      and earlier.attempts <= ${HOLDING_ATTEMPTS_MAX}
      and earlier.uid <> all($5::uuid[])) as "isHeld"
from next
cross join lateral unnest(next.buckets, next.uids) with ordinality as one (bucket, uid, n)
join outbox_event e on e.bucket = one.bucket and e.uid = one.uid
where next.before < $6
  and (next.settled >> (one.n - 1)::integer) & 1 = 0
order by next.uid, one.n`;

interface Row {
  readonly batchUid: string;
  readonly dueAt: Temporal.Instant;
  readonly eventAt: Temporal.Instant;
  readonly n: number;
  readonly bucket: number;
  readonly uid: string;
  readonly customerUid: string | null;
  readonly version: bigint | null;
  readonly payload: string;
  readonly traceparent: string | null;
  readonly isHeld: boolean;
}

export interface BatchQuery {
  readonly subscriptionUid: string;
  /** Batches that are in memory already. */
  readonly knownBatchUids: readonly string[];
  /** Deliveries in memory that have rows of their own. */
  readonly knownUids: readonly string[];
  /** A dead receiver gets whatever is due; a healthy one a customer's deliveries one after the other. */
  readonly isDead: boolean;
  readonly eventsMax: number;
}

/** What of a batch waits for its first attempt. */
export interface WaitingBatch {
  readonly uid: string;
  readonly deliveries: readonly { readonly delivery: BatchedDelivery; readonly isHeld: boolean }[];
}

/** The first batches of one receiver, in the order in which they were written, with `eventsMax` events or a little more. */
export async function readBatches(deps: Pick<Deps, "db" | "clock">, query: BatchQuery): Promise<WaitingBatch[]> {
  const rows = await deps.db.query<Row>(SELECT_BATCHES, [
    query.subscriptionUid,
    deps.clock.now(),
    query.knownBatchUids,
    query.isDead,
    query.knownUids,
    query.eventsMax,
  ]);
  const batches = new Map<string, { delivery: BatchedDelivery; isHeld: boolean }[]>();
  for (const { batchUid, n, isHeld, ...facts } of rows) {
    const delivery: BatchedDelivery = { ...facts, attempts: 0, kind: "first", place: { batchUid, n } };
    const batch = batches.get(batchUid);
    if (batch === undefined) batches.set(batchUid, [{ delivery, isHeld }]);
    else batch.push({ delivery, isHeld });
  }
  return [...batches].map(([uid, deliveries]) => ({ uid, deliveries }));
}
