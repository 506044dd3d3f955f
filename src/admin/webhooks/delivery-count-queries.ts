import type { Queryable } from "../../db/pool.ts";
import { waitsAtCursor } from "../../webhooks/event-batch.ts";
import { countUpToMax } from "../count-queries.ts";
import { allOf, type Binder, createBinder } from "../list.ts";

// The lists of delivery-queries.ts, counted without their order: each function counts up to `COUNTED_MAX` plus one.

/** The time by which a list is sorted. */
export interface CountedRange {
  /** Included; null: no beginning. */
  readonly since: Temporal.Instant | null;
  /** Not included; null: no end. */
  readonly until: Temporal.Instant | null;
}

function within({ bindIf }: Binder, { since, until }: CountedRange, at: string): string {
  return allOf([bindIf(since, (n) => `${at} >= ${n}`), bindIf(until, (n) => `${at} < ${n}`)]);
}

/** Returns how many events of the topics were written within a time range. */
export function countByTime(queryable: Queryable, topics: readonly string[], range: CountedRange): Promise<number> {
  const binder = createBinder();
  const rows = `select 1
  from outbox_event e
  where e.topic = any(${binder.bind(topics)})
    and ${within(binder, range, "e.inserted_at")}`;
  return countUpToMax(queryable, rows, binder.params);
}

/** Returns how many deliveries of the topics were acknowledged within a time range. */
export function countAcknowledged(
  queryable: Queryable,
  topics: readonly string[],
  range: CountedRange,
): Promise<number> {
  const binder = createBinder();
  const names = binder.bind(topics);
  // `offset 0` keeps the planner to one lookup per row: it stops at the limit, and must not read all events first.
  const event = (bucket: string, uid: string) => `cross join lateral (
      select
      from outbox_event e
      where e.bucket = ${bucket}
        and e.uid = ${uid}
        and e.topic = any(${names})
      offset 0) e`;
  const rows = `select 1
  from (
    select a.uid
    from attempt a
    ${event("a.bucket", "a.delivery_uid")}
    where a.status = 200
      and ${within(binder, range, "a.recorded_at")}
    union all
    select one.uid
    from acknowledgement k
    cross join lateral unnest(k.buckets, k.uids) as one (bucket, uid)
    ${event("one.bucket", "one.uid")}
    where k.topic = any(${names})
      and ${within(binder, range, "k.recorded_at")}) done`;
  return countUpToMax(queryable, rows, binder.params);
}

/** Returns how many deliveries of subscriptions wait and are due within a time range. */
export function countWaitingDeliveries(
  queryable: Queryable,
  subscriptionUids: readonly string[],
  range: CountedRange,
): Promise<number> {
  const binder = createBinder();
  const uids = binder.bind(subscriptionUids);
  const inBatches = (position: string) => `select one.uid
    from subscription s
    join receiver_cursor c on c.subscription_uid = s.uid
    join topic_batch b on b.topic = s.topic and ${position}
    cross join lateral unnest(b.uids) with ordinality as one (uid, n)
    where s.uid = any(${uids}::uuid[])
      and ${waitsAtCursor("one.n")}
      and ${within(binder, range, "b.due_at")}`;
  const rows = `select 1
  from (
    select d.uid
    from delivery d
    where d.subscription_uid = any(${uids}::uuid[])
      and d.state = 'waiting'
      and ${within(binder, range, "d.due_at")}
    union all
    ${inBatches("b.position > c.position")}
    union all
    ${inBatches("b.position is null")}) waiting`;
  return countUpToMax(queryable, rows, binder.params);
}

/** Returns how many deliveries of subscriptions failed within a time range. */
export function countFailed(
  queryable: Queryable,
  subscriptionUids: readonly string[],
  range: CountedRange,
): Promise<number> {
  const binder = createBinder();
  const rows = `select 1
  from delivery d
  where d.subscription_uid = any(${binder.bind(subscriptionUids)}::uuid[])
    and d.state = 'failed'
    and ${within(binder, range, "d.due_at")}`;
  return countUpToMax(queryable, rows, binder.params);
}
