import type { Queryable } from "../../db/pool.ts";
import { WEBHOOK_TOPICS } from "../../webhooks/topics/index.ts";
import { COUNTED_MAX } from "../../wire/limits.ts";

const RECENT_ATTEMPTS = 2_000;

/** A subscription with the state of its receiver. */
export interface SubscriptionFacts {
  readonly topic: string;
  readonly uid: string;
  readonly callbackUrl: string;
  readonly activatedAt: Temporal.Instant;
  readonly isRotating: boolean;
  readonly failures: number;
  readonly waiting: bigint;
  readonly failed: bigint;
}

// Counted no further than a person reads: a receiver that was dead for days has millions waiting.
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
  s.callback_url as "callbackUrl",
  s.activated_at as "activatedAt",
  s.next_secret_sealed is not null as "isRotating",
  s.failures,
  least(${counted("waiting")} + ${WAITING_IN_BATCHES}, ${COUNTED_MAX})::bigint as waiting,
  ${counted("failed")} as failed
from subscription s
where not s.is_additional`;

export function selectSubscriptionFacts(queryable: Queryable): Promise<SubscriptionFacts[]> {
  return queryable.query<SubscriptionFacts>(SELECT_SUBSCRIPTIONS);
}

/** What a topic's newest attempts were like, of the newest of all topics. */
export interface RecentAttempts {
  readonly topic: string;
  readonly count: bigint;
  readonly lastSuccessAt: Temporal.Instant | null;
  readonly lastFailureAt: Temporal.Instant | null;
  readonly medianMs: number | null;
  readonly slowMs: number | null;
}

const OF_INTERFACE = `not exists (
        select
        from subscription additional
        where additional.uid = subscription_uid
          and additional.is_additional)`;

const SELECT_RECENT = `select e.topic,
  count(*),
  max(e.started_at) filter (where e.status = 200) as "lastSuccessAt",
  max(e.started_at) filter (where e.status is distinct from 200) as "lastFailureAt",
  percentile_disc(0.5) within group (order by e.duration_ms) filter (where e.status = 200) as "medianMs",
  percentile_disc(0.95) within group (order by e.duration_ms) filter (where e.status = 200) as "slowMs"
from (
  select a.topic, a.started_at, a.status, a.duration_ms
  from (
    select e.topic, a.recorded_at, a.started_at, a.status, a.duration_ms
    from (
      select bucket, delivery_uid, recorded_at, started_at, status, duration_ms
      from attempt
      where ${OF_INTERFACE}
      order by recorded_at desc
      limit ${RECENT_ATTEMPTS}) a
    join outbox_event e on e.bucket = a.bucket and e.uid = a.delivery_uid
    union all
    select k.topic, k.recorded_at, one.started_at, 200, one.duration_ms
    from unnest($1::text[]) as t (topic)
    cross join lateral (
      select *
      from acknowledgement
      where topic = t.topic
        and ${OF_INTERFACE}
      order by recorded_at desc
      limit ${RECENT_ATTEMPTS}) k
    cross join lateral unnest(k.started_at, k.duration_ms) as one (started_at, duration_ms)) a
  order by a.recorded_at desc
  limit ${RECENT_ATTEMPTS}) e
group by e.topic`;

export function selectRecentAttempts(queryable: Queryable): Promise<RecentAttempts[]> {
  return queryable.query<RecentAttempts>(SELECT_RECENT, [WEBHOOK_TOPICS.map(({ name }) => name)]);
}
