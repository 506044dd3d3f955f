import type { Queryable } from "../../db/pool.ts";
import { waitsAtCursor } from "../../webhooks/event-batch.ts";
import { allOf, type Binder, createBinder, type TimePosition } from "../list.ts";

/** A delivery in a list, with the result of its last attempt. */
export interface ListedDelivery {
  readonly uid: string;
  /** The receiver's subscription; null: all receivers. */
  readonly subscriptionUid: string | null;
  readonly topic: string;
  /** Null: nothing is left to deliver. */
  readonly state: "waiting" | "failed" | null;
  readonly attempts: number;
  readonly dueAt: Temporal.Instant | null;
  /** By the machine's clock. */
  readonly writtenAt: Temporal.Instant;
  readonly customerId: string | null;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
  readonly lastAt: Temporal.Instant | null;
  readonly lastStatus: number | null;
  readonly lastFailure: string | null;
  readonly lastMs: number | null;
  /** The time by which the list is sorted; the next page begins after it. */
  readonly at: Temporal.Instant;
  readonly atUid: string;
}

/** The part of a list to read. */
export interface DeliveryPageQuery {
  /** Included; null: no beginning. */
  readonly since: Temporal.Instant | null;
  /** Not included; null: no end. */
  readonly until: Temporal.Instant | null;
  readonly after: TimePosition | null;
  readonly rows: number;
  /** For a list by time: oldest first instead of newest first. */
  readonly isOldestFirst?: boolean;
}

const FIELDS = `page.uid,
  page.subscription_uid as "subscriptionUid",
  page.topic,
  page.state,
  coalesce(page.attempts, tried.count + acknowledged.count)::integer as attempts,
  page.due_at as "dueAt",
  page.inserted_at as "writtenAt",
  c.storefront_id as "customerId",
  c.name as "customerName",
  c.email as "customerEmail",
  coalesce(acknowledged.started_at, a.started_at) as "lastAt",
  case when acknowledged.count > 0 then 200 else a.status end as "lastStatus",
  case when acknowledged.count > 0 then null else a.failure end as "lastFailure",
  coalesce(acknowledged.duration_ms, a.duration_ms) as "lastMs",
  page.at,
  page.at_uid as "atUid"`;

const OTHERS = `left join customer c on c.bucket = page.bucket and c.customer_uid = page.customer_uid
left join lateral (
  select started_at, status, failure, duration_ms
  from attempt
  where bucket = page.bucket
    and delivery_uid = page.uid
  order by uid desc
  limit 1) a on true
cross join lateral (
  select count(*)
  from attempt
  where bucket = page.bucket
    and delivery_uid = page.uid) tried
cross join lateral (
  select count(*), max(one.started_at) as started_at, max(one.duration_ms) as duration_ms
  from acknowledgement k
  cross join lateral unnest(k.uids, k.started_at, k.duration_ms) as one (uid, started_at, duration_ms)
  where k.event_at = page.inserted_at
    and one.uid = page.uid) acknowledged`;

/** SQL for what is left to deliver of an event `e`, as `d`: of several receivers, the first one for which it waits. */
export const STATE_OF_EVENT = `left join lateral (
  select own.state, own.attempts, own.due_at
  from (
    select delivery.state, delivery.attempts, delivery.due_at
    from delivery
    where delivery.bucket = e.bucket
      and delivery.uid = e.uid
    union all
    select 'waiting', 0, b.due_at
    from topic_batch b
    join subscription s on s.topic = b.topic
    join receiver_cursor c on c.subscription_uid = s.uid
    where b.inserted_at = e.inserted_at
      and e.uid = any(b.uids)
      and ${waitsAtCursor("array_position(b.uids, e.uid)")}) own
  order by own.state desc, own.due_at
  limit 1) d on true`;

/** The columns by which a list is sorted, and the direction. */
interface Order {
  readonly at: string;
  readonly uid: string;
  readonly direction: "asc" | "desc";
}

/** Returns the condition for rows of a time range after a position. */
function within({ bind, bindIf }: Binder, { since, until, after }: DeliveryPageQuery, order: Order): string {
  const { at, uid, direction } = order;
  const behind = direction === "asc" ? ">" : "<";
  return allOf([
    bindIf(since, (n) => `${at} >= ${n}`),
    bindIf(until, (n) => `${at} < ${n}`),
    after === null ? null : `(${at}, ${uid}) ${behind} (${bind(after.at)}, ${bind(after.id)})`,
  ]);
}

/** Returns events of the topics by the time at which they were written: newest first, unless the page says otherwise. */
export function selectByTime(
  queryable: Queryable,
  topics: readonly string[],
  page: DeliveryPageQuery,
): Promise<ListedDelivery[]> {
  const binder = createBinder();
  const limit = binder.bind(page.rows);
  const direction = page.isOldestFirst === true ? "asc" : "desc";
  const before = direction === "asc" ? ">=" : "<=";
  const listed = allOf([
    binder.bindIf(page.after?.at, (n) => `e.inserted_at ${before} ${n}`), // the index of a topic has the time but no uid
    within(binder, page, { at: "e.inserted_at", uid: "e.uid", direction }),
  ]);
  // Takes each topic's newest events by its index, and the newest of these; a topic without a subscription costs nothing.
  const text = `with page as (
  select e.*
  from unnest(${binder.bind(topics)}::text[]) as t (topic)
  cross join lateral (
    select e.bucket, e.uid, null::uuid as subscription_uid, e.topic, e.customer_uid, e.inserted_at, d.state, d.attempts, d.due_at,
      e.inserted_at as at, e.uid as at_uid
    from outbox_event e
    ${STATE_OF_EVENT}
    where e.topic = t.topic
      and ${listed}
    order by e.inserted_at ${direction}, e.uid ${direction}
    limit ${limit}) e
  order by e.inserted_at ${direction}, e.uid ${direction}
  limit ${limit})
select ${FIELDS}
from page
${OTHERS}
order by page.inserted_at ${direction}, page.uid ${direction}`;
  return queryable.query<ListedDelivery>(text, binder.params);
}

/** Returns acknowledged deliveries of the topics, most recently acknowledged first. */
export function selectAcknowledged(
  queryable: Queryable,
  topics: readonly string[],
  page: DeliveryPageQuery,
): Promise<ListedDelivery[]> {
  const binder = createBinder();
  const limit = binder.bind(page.rows);
  const names = binder.bind(topics);
  // Reads the newest acknowledgements only: waiting and failed deliveries, which may be millions, are not read. `offset 0` keeps the planner to one
  // lookup per row, in the order of the index.
  const text = `with page as (
  select p.bucket, p.uid, p.subscription_uid, e.topic, e.customer_uid, e.inserted_at, d.state, d.attempts, d.due_at, p.at, p.at_uid
  from (
    (select a.bucket, a.delivery_uid as uid, a.subscription_uid, a.recorded_at as at, a.uid as at_uid
    from attempt a
    cross join lateral (
      select
      from outbox_event e
      where e.bucket = a.bucket
        and e.uid = a.delivery_uid
        and e.topic = any(${names})
      offset 0) e
    where a.status = 200
      and ${within(binder, page, { at: "a.recorded_at", uid: "a.uid", direction: "desc" })}
    order by a.recorded_at desc, a.uid desc
    limit ${limit})
    union all
    (select k.*
    from unnest(${names}::text[]) as t (topic)
    cross join lateral (
      select one.bucket, one.uid, k.subscription_uid, k.recorded_at as at, one.uid as at_uid
      from acknowledgement k
      cross join lateral unnest(k.buckets, k.uids) as one (bucket, uid)
      where k.topic = t.topic
        and ${binder.bindIf(page.after?.at, (n) => `k.recorded_at <= ${n}`) ?? "true"}
        and ${within(binder, page, { at: "k.recorded_at", uid: "one.uid", direction: "desc" })}
      order by k.recorded_at desc, one.uid desc
      limit ${limit}) k)) p
  join outbox_event e on e.bucket = p.bucket and e.uid = p.uid
  ${STATE_OF_EVENT}
  order by p.at desc, p.at_uid desc
  limit ${limit})
select ${FIELDS}
from page
${OTHERS}
order by page.at desc, page.at_uid desc`;
  return queryable.query<ListedDelivery>(text, binder.params);
}

/**
 * SQL for the events after the receivers' cursors, in stream order. A batch holds at least one event, so as many batches as the page has rows are
 * enough.
 */
function inBatches(binder: Binder, subscriptionUids: readonly string[], page: DeliveryPageQuery): string {
  const batches = (position: string, order: string) => `(select b.*
      from topic_batch b
      where b.topic = s.topic
        and ${position}
        and ${allOf([
          binder.bindIf(page.since, (n) => `b.due_at >= ${n}`),
          binder.bindIf(page.until, (n) => `b.due_at < ${n}`),
          binder.bindIf(page.after?.at, (n) => `b.due_at >= ${n}`),
          binder.bindIf(page.after?.id, (n) => `b.uids[cardinality(b.uids)] > ${n}::uuid`),
        ])}
      order by ${order}
      limit ${binder.bind(page.rows)})`;
  return `select one.bucket, one.uid, s.uid, 'waiting', 0, b.due_at, b.due_at, one.uid
    from subscription s
    join receiver_cursor c on c.subscription_uid = s.uid
    cross join lateral (
      ${batches("b.position > c.position", "b.position")}
      union all
      ${batches("b.position is null", "b.uid")}) b
    cross join lateral unnest(b.buckets, b.uids) with ordinality as one (bucket, uid, n)
    where s.uid = any(${binder.bind(subscriptionUids)}::uuid[])
      and ${waitsAtCursor("one.n")}
      and ${within(binder, { ...page, since: null, until: null }, { at: "b.due_at", uid: "one.uid", direction: "asc" })}`;
}

/** Returns deliveries of subscriptions by their `due_at`: waiting ones, earliest first; failed ones, latest first. */
export function selectByDue(
  queryable: Queryable,
  { state, subscriptionUids }: { readonly state: "waiting" | "failed"; readonly subscriptionUids: readonly string[] },
  page: DeliveryPageQuery,
): Promise<ListedDelivery[]> {
  const binder = createBinder();
  const limit = binder.bind(page.rows);
  const direction = state === "waiting" ? "asc" : "desc";
  const sorting = (name: string) => `order by ${name}.due_at ${direction}, ${name}.uid ${direction}`;
  const text = `with page as (
  select d.*, e.topic, e.customer_uid, e.inserted_at
  from (
    select *
    from (
      select d.*
      from unnest(${binder.bind(subscriptionUids)}::uuid[]) as s (uid)
      cross join lateral (
        select d.bucket, d.uid, d.subscription_uid, d.state, d.attempts, d.due_at, d.due_at as at, d.uid as at_uid
        from delivery d
        where d.subscription_uid = s.uid
          and d.state = '${state}'
          and ${within(binder, page, { at: "d.due_at", uid: "d.uid", direction })}
        ${sorting("d")}
        limit ${limit}) d${state === "waiting" ? `\n      union all\n      ${inBatches(binder, subscriptionUids, page)}` : ""}) d
    ${sorting("d")}
    limit ${limit}) d
  join outbox_event e on e.bucket = d.bucket and e.uid = d.uid)
select ${FIELDS}
from page
${OTHERS}
${sorting("page")}`;
  return queryable.query<ListedDelivery>(text, binder.params);
}
