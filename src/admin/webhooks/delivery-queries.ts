import type { Queryable } from "../../db/pool.ts";
import { allOf, type Binder, createBinder, type TimePosition } from "../list.ts";

/** A delivery in a list, with how its last attempt went. */
export interface ListedDelivery {
  readonly uid: string;
  readonly topic: string;
  /** Null: nothing is to be delivered any more. */
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
  /** By which its list is sorted: the next page begins behind it. */
  readonly at: Temporal.Instant;
  readonly atUid: string;
}

/** Which part of a list is read. */
export interface DeliveryPageQuery {
  /** Included; null: no beginning. */
  readonly since: Temporal.Instant | null;
  /** Not included; null: no end. */
  readonly until: Temporal.Instant | null;
  readonly after: TimePosition | null;
  readonly rows: number;
}

const FIELDS = `page.uid,
  page.topic,
  page.state,
  coalesce(page.attempts, tried.count)::integer as attempts,
  page.due_at as "dueAt",
  page.inserted_at as "writtenAt",
  c.storefront_id as "customerId",
  c.name as "customerName",
  c.email as "customerEmail",
  a.started_at as "lastAt",
  a.status as "lastStatus",
  a.failure as "lastFailure",
  a.duration_ms as "lastMs",
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
    and delivery_uid = page.uid) tried`;

/** The columns by which a list is ordered, and which way. */
interface Order {
  readonly at: string;
  readonly uid: string;
  readonly direction: "asc" | "desc";
}

/** The rows of a span of time behind a position. */
function within({ bind, bindIf }: Binder, { since, until, after }: DeliveryPageQuery, order: Order): string {
  const { at, uid, direction } = order;
  const behind = direction === "asc" ? ">" : "<";
  return allOf([
    bindIf(since, (n) => `${at} >= ${n}`),
    bindIf(until, (n) => `${at} < ${n}`),
    after === null ? null : `(${at}, ${uid}) ${behind} (${bind(after.at)}, ${bind(after.id)})`,
  ]);
}

/** Events of the topics that were to be delivered, the newest first, when they were written. */
export function selectByTime(
  queryable: Queryable,
  topics: readonly string[],
  page: DeliveryPageQuery,
): Promise<ListedDelivery[]> {
  const binder = createBinder();
  const limit = binder.bind(page.rows);
  const listed = allOf([
    binder.bindIf(page.after?.at, (n) => `e.inserted_at <= ${n}`), // the index of a topic has the time and no uid
    within(binder, page, { at: "e.inserted_at", uid: "e.uid", direction: "desc" }),
  ]);
  // Each topic's newest by its index, and of these the newest: a topic that nobody subscribes to costs nothing.
  const text = `with page as (
  select e.*
  from unnest(${binder.bind(topics)}::text[]) as t (topic)
  cross join lateral (
    select e.bucket, e.uid, e.topic, e.customer_uid, e.inserted_at, d.state, d.attempts, d.due_at,
      e.inserted_at as at, e.uid as at_uid
    from outbox_event e
    left join delivery d on d.bucket = e.bucket and d.uid = e.uid
    where e.topic = t.topic
      and ${listed}
    order by e.inserted_at desc, e.uid desc
    limit ${limit}) e
  order by e.inserted_at desc, e.uid desc
  limit ${limit})
select ${FIELDS}
from page
${OTHERS}
order by page.inserted_at desc, page.uid desc`;
  return queryable.query<ListedDelivery>(text, binder.params);
}

/** Deliveries of the topics that were acknowledged, the newest first, when they were. */
export function selectAcknowledged(
  queryable: Queryable,
  topics: readonly string[],
  page: DeliveryPageQuery,
): Promise<ListedDelivery[]> {
  const binder = createBinder();
  // The newest first among what was acknowledged: what waits or failed, which may be millions, is not looked at. `offset 0` keeps
  // it one look a row, in the order of the index.
  const text = `with page as (
  select a.bucket, a.delivery_uid as uid, e.topic, e.customer_uid, e.inserted_at, e.state, e.attempts, e.due_at,
    a.recorded_at as at, a.uid as at_uid
  from attempt a
  cross join lateral (
    select e.topic, e.customer_uid, e.inserted_at, d.state, d.attempts, d.due_at
    from outbox_event e
    left join delivery d on d.bucket = e.bucket and d.uid = e.uid
    where e.bucket = a.bucket
      and e.uid = a.delivery_uid
      and e.topic = any(${binder.bind(topics)})
    offset 0) e
  where a.status = 200
    and ${within(binder, page, { at: "a.recorded_at", uid: "a.uid", direction: "desc" })}
  order by a.recorded_at desc, a.uid desc
  limit ${binder.bind(page.rows)})
select ${FIELDS}
from page
${OTHERS}
order by page.at desc, page.at_uid desc`;
  return queryable.query<ListedDelivery>(text, binder.params);
}

/** Deliveries of subscriptions by their `due_at`: those that wait, the next one first; those that failed, the last one first. */
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
  select d.*, e.topic, e.inserted_at
  from (
    select d.*
    from unnest(${binder.bind(subscriptionUids)}::uuid[]) as s (uid)
    cross join lateral (
      select d.bucket, d.uid, d.customer_uid, d.state, d.attempts, d.due_at, d.due_at as at, d.uid as at_uid
      from delivery d
      where d.subscription_uid = s.uid
        and d.state = '${state}'
        and ${within(binder, page, { at: "d.due_at", uid: "d.uid", direction })}
      ${sorting("d")}
      limit ${limit}) d
    ${sorting("d")}
    limit ${limit}) d
  join outbox_event e on e.bucket = d.bucket and e.uid = d.uid)
select ${FIELDS}
from page
${OTHERS}
${sorting("page")}`;
  return queryable.query<ListedDelivery>(text, binder.params);
}
