import type { Queryable } from "../../db/pool.ts";
import type { Position } from "./position.ts";
import type { TimeRange } from "./time-range.ts";

/** A delivery in a list, with how its last attempt went. */
export interface DeliveryFacts {
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

export interface PageWish extends TimeRange {
  readonly after: Position | null;
  readonly rows: number;
}

const MEMBERS = `page.uid,
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

// Each topic's newest by its index, and of these the newest: a topic that nobody is told of costs nothing.
const SELECT_ALL = `with page as (
  select e.*
  from unnest($1::text[]) as t (topic)
  cross join lateral (
    select e.bucket, e.uid, e.topic, e.customer_uid, e.inserted_at, d.state, d.attempts, d.due_at,
      e.inserted_at as at, e.uid as at_uid
    from outbox_event e
    left join delivery d on d.bucket = e.bucket and d.uid = e.uid
    where e.topic = t.topic
      and e.inserted_at >= coalesce($2::timestamptz, '-infinity')
      and e.inserted_at < coalesce($3::timestamptz, 'infinity')
      and e.inserted_at <= coalesce($4::timestamptz, 'infinity')
      and (e.inserted_at, e.uid) < (coalesce($4::timestamptz, 'infinity'), coalesce($5::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    order by e.inserted_at desc, e.uid desc
    limit $6) e
  order by e.inserted_at desc, e.uid desc
  limit $6)
select ${MEMBERS}
from page
${OTHERS}
order by page.inserted_at desc, page.uid desc`;

/** Events of the topics that were to be delivered, the newest first, when they were written. */
export function selectByTime(
  queryable: Queryable,
  topics: readonly string[],
  { since, until, after, rows }: PageWish,
): Promise<DeliveryFacts[]> {
  const params = [topics, since, until, after?.at ?? null, after?.uid ?? null, rows];
  return queryable.query<DeliveryFacts>(SELECT_ALL, params);
}

// The newest first among what was acknowledged: what waits or failed, which may be millions, is not looked at. `offset 0` keeps it one
// look a row, in the order of the index.
const SELECT_ACKNOWLEDGED = `with page as (
  select a.bucket, a.delivery_uid as uid, e.topic, e.customer_uid, e.inserted_at, e.state, e.attempts, e.due_at,
    a.recorded_at as at, a.uid as at_uid
  from attempt a
  cross join lateral (
    select e.topic, e.customer_uid, e.inserted_at, d.state, d.attempts, d.due_at
    from outbox_event e
    left join delivery d on d.bucket = e.bucket and d.uid = e.uid
    where e.bucket = a.bucket
      and e.uid = a.delivery_uid
      and e.topic = any($1)
    offset 0) e
  where a.status = 200
    and a.recorded_at >= coalesce($2::timestamptz, '-infinity')
    and a.recorded_at < coalesce($3::timestamptz, 'infinity')
    and (a.recorded_at, a.uid)
      < (coalesce($4::timestamptz, 'infinity'), coalesce($5::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
  order by a.recorded_at desc, a.uid desc
  limit $6)
select ${MEMBERS}
from page
${OTHERS}
order by page.at desc, page.at_uid desc`;

/** Deliveries of the topics that were acknowledged, the newest first, when they were. */
export function selectAcknowledged(
  queryable: Queryable,
  topics: readonly string[],
  { since, until, after, rows }: PageWish,
): Promise<DeliveryFacts[]> {
  const params = [topics, since, until, after?.at ?? null, after?.uid ?? null, rows];
  return queryable.query<DeliveryFacts>(SELECT_ACKNOWLEDGED, params);
}

const LIMITS = {
  waiting: { order: "", behind: ">", start: "'-infinity'", first: "00000000-0000-0000-0000-000000000000" },
  failed: { order: " desc", behind: "<", start: "'infinity'", first: "ffffffff-ffff-ffff-ffff-ffffffffffff" },
} as const;

const byDue = (state: keyof typeof LIMITS) => {
  const { order, behind, start, first } = LIMITS[state];
  const sorting = (name: string) => `order by ${name}.due_at${order}, ${name}.uid${order}`;
  return `with page as (
  select d.*, e.topic, e.inserted_at
  from (
    select d.*
    from unnest($1::uuid[]) as s (uid)
    cross join lateral (
      select d.bucket, d.uid, d.customer_uid, d.state, d.attempts, d.due_at, d.due_at as at, d.uid as at_uid
      from delivery d
      where d.subscription_uid = s.uid
        and d.state = '${state}'
        and d.due_at >= coalesce($2::timestamptz, '-infinity')
        and d.due_at < coalesce($3::timestamptz, 'infinity')
        and (d.due_at, d.uid) ${behind} (coalesce($4::timestamptz, ${start}), coalesce($5::uuid, '${first}'))
      ${sorting("d")}
      limit $6) d
    ${sorting("d")}
    limit $6) d
  join outbox_event e on e.bucket = d.bucket and e.uid = d.uid)
select ${MEMBERS}
from page
${OTHERS}
${sorting("page")}`;
};

const SELECT_BY_DUE = { waiting: byDue("waiting"), failed: byDue("failed") };

/** Deliveries of subscriptions by their `due_at`: those that wait, the next one first; those that failed, the last one first. */
export function selectByDue(
  queryable: Queryable,
  { state, subscriptionUids }: { readonly state: "waiting" | "failed"; readonly subscriptionUids: readonly string[] },
  { since, until, after, rows }: PageWish,
): Promise<DeliveryFacts[]> {
  const params = [subscriptionUids, since, until, after?.at ?? null, after?.uid ?? null, rows];
  return queryable.query<DeliveryFacts>(SELECT_BY_DUE[state], params);
}
