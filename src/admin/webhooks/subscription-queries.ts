import type { Queryable } from "../../db/pool.ts";
import { WEBHOOK_TOPICS } from "../../webhooks/topics/index.ts";
import { COUNTED_MAX } from "../../wire/limits.ts";

const RECENT_ATTEMPTS = 2_000;

/** A subscription with the state of its receiver. */
export interface SubscriptionFacts {
  readonly topic: string;
  readonly uid: string;
  /** An additional receiver, beside the subscription of the interface. */
  readonly isAdditional: boolean;
  readonly callbackUrl: string;
  readonly activatedAt: Temporal.Instant;
  readonly isRotating: boolean;
  readonly failures: number;
  readonly waiting: bigint;
  readonly failed: bigint;
}

// Counted up to a limit: a receiver that was down for days has millions of waiting deliveries.
const counted = (state: "waiting" | "failed") => `(
    select count(*)
    from (
      select
      from delivery d
      where d.subscription_uid = s.uid
        and d.state = '${state}'
      limit ${COUNTED_MAX}) counted)`;

const WAITING_IN_BATCHES = `(
    select coalesce(sum(cardinality(b.uids) - bit_count((b.settled | coalesce(b.own, 0))::bit(64))), 0)
    from (
      (select b.uids, b.settled, c.settled[(b.position - c.position)::integer] as own
      from receiver_cursor c
      join topic_batch b on b.topic = s.topic and b.position > c.position
      where c.subscription_uid = s.uid
      limit ${COUNTED_MAX})
      union all
      (select b.uids, b.settled, 0
      from topic_batch b
      where b.topic = s.topic
        and b.position is null
      limit ${COUNTED_MAX})) b)`;

const SELECT_SUBSCRIPTIONS = `select s.topic,
  s.uid,
  s.is_additional as "isAdditional",
  s.callback_url as "callbackUrl",
  s.activated_at as "activatedAt",
  s.next_secret_sealed is not null as "isRotating",
  s.failures,
  least(${counted("waiting")} + ${WAITING_IN_BATCHES}, ${COUNTED_MAX})::bigint as waiting,
  ${counted("failed")} as failed
from subscription s
order by s.topic, s.activated_at, s.uid`;

export function selectSubscriptionFacts(queryable: Queryable): Promise<SubscriptionFacts[]> {
  return queryable.query<SubscriptionFacts>(SELECT_SUBSCRIPTIONS);
}

/** The results of the newest attempts, taken from the newest of all topics. */
export interface RecentAttempts {
  /** The topic of a subscription of the interface, or the uid of an additional receiver. */
  readonly of: string;
  readonly count: bigint;
  readonly lastSuccessAt: Temporal.Instant | null;
  readonly lastFailureAt: Temporal.Instant | null;
  readonly medianMs: number | null;
  readonly slowMs: number | null;
}

function recentOf({ isAdditional }: { readonly isAdditional: boolean }): string {
  const ofThese = `${isAdditional ? "" : "not "}exists (
        select
        from subscription additional
        where additional.uid = subscription_uid
          and additional.is_additional)`;
  return `select a.of,
  count(*),
  max(a.started_at) filter (where a.status = 200) as "lastSuccessAt",
  max(a.started_at) filter (where a.status is distinct from 200) as "lastFailureAt",
  percentile_disc(0.5) within group (order by a.duration_ms) filter (where a.status = 200) as "medianMs",
  percentile_disc(0.95) within group (order by a.duration_ms) filter (where a.status = 200) as "slowMs"
from (
  select a.of, a.started_at, a.status, a.duration_ms
  from (
    select ${isAdditional ? "a.subscription_uid::text" : "e.topic"} as of, a.recorded_at, a.started_at, a.status, a.duration_ms
    from (
      select bucket, delivery_uid, subscription_uid, recorded_at, started_at, status, duration_ms
      from attempt
      where ${ofThese}
      order by recorded_at desc
      limit ${RECENT_ATTEMPTS}) a
    join outbox_event e on e.bucket = a.bucket and e.uid = a.delivery_uid
    union all
    select ${isAdditional ? "k.subscription_uid::text" : "k.topic"}, k.recorded_at, one.started_at, 200, one.duration_ms
    from unnest($1::text[]) as t (topic)
    cross join lateral (
      select *
      from acknowledgement
      where topic = t.topic
        and ${ofThese}
      order by recorded_at desc
      limit ${RECENT_ATTEMPTS}) k
    cross join lateral unnest(k.started_at, k.duration_ms) as one (started_at, duration_ms)) a
  order by a.recorded_at desc
  limit ${RECENT_ATTEMPTS}) a
group by a.of`;
}

const SELECT_RECENT = recentOf({ isAdditional: false });
const SELECT_RECENT_ADDITIONAL = recentOf({ isAdditional: true });

/** Returns the results of the newest attempts: by topic for the interface's subscriptions, or by uid for additional receivers. */
export function selectRecentAttempts(queryable: Queryable, isAdditional: boolean): Promise<RecentAttempts[]> {
  const text = isAdditional ? SELECT_RECENT_ADDITIONAL : SELECT_RECENT;
  return queryable.query<RecentAttempts>(text, [WEBHOOK_TOPICS.map(({ name }) => name)]);
}
