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

/** The results of the newest attempts. */
export interface RecentAttempts {
  /** The topic of a subscription of the interface, or the uid of an additional receiver. */
  readonly of: string;
  readonly count: bigint;
  readonly lastSuccessAt: Temporal.Instant | null;
  readonly lastFailureAt: Temporal.Instant | null;
  readonly medianMs: number | null;
  readonly slowMs: number | null;
}

/** SQL for the results of attempts, each with the receiver that it is of. */
const resultsOf = (attempts: string) => `select a.of,
  count(*),
  max(a.started_at) filter (where a.status = 200) as "lastSuccessAt",
  max(a.started_at) filter (where a.status is distinct from 200) as "lastFailureAt",
  percentile_disc(0.5) within group (order by a.duration_ms) filter (where a.status = 200) as "medianMs",
  percentile_disc(0.95) within group (order by a.duration_ms) filter (where a.status = 200) as "slowMs"
from (${attempts}) a
group by a.of`;

// Attempts of the interface's subscriptions are looked for among the newest of all, those of each additional receiver by its own index.
const LOOKED_AT = 10 * RECENT_ATTEMPTS;

const ofInterface = (table: string, condition: string) => `select *
      from (
        select *
        from ${table}
        where ${condition}
        order by recorded_at desc
        limit ${LOOKED_AT}) newest
      where not exists (
        select
        from subscription additional
        where additional.uid = newest.subscription_uid
          and additional.is_additional)
      order by recorded_at desc
      limit ${RECENT_ATTEMPTS}`;

/** SQL for the attempts that acknowledgements consist of, newest first. */
const acknowledged = (acknowledgements: string) => `select k.recorded_at, one.started_at, 200 as status, one.duration_ms
      from ${acknowledgements} k
      cross join lateral unnest(k.started_at, k.duration_ms) as one (started_at, duration_ms)`;

const SELECT_RECENT = resultsOf(`
  select a.of, a.started_at, a.status, a.duration_ms
  from (
    select e.topic as of, a.recorded_at, a.started_at, a.status, a.duration_ms
    from (
      ${ofInterface("attempt", "true")}) a
    join outbox_event e on e.bucket = a.bucket and e.uid = a.delivery_uid
    union all
    select t.topic, a.*
    from unnest($1::text[]) as t (topic)
    cross join lateral (
      ${acknowledged(`(
      ${ofInterface("acknowledgement", "topic = t.topic")})`)}
      order by k.recorded_at desc
      limit ${RECENT_ATTEMPTS}) a) a
  order by a.recorded_at desc
  limit ${RECENT_ATTEMPTS}`);

// Never compared with `=`: for the index by time alone PostgreSQL would expect to meet a receiver's attempts soon, and read those of all others.
const OF_RECEIVER = `(k.subscription_uid, k.recorded_at) >= (s.uid, '-infinity')
        and (k.subscription_uid, k.recorded_at) <= (s.uid, 'infinity')
      order by k.subscription_uid desc, k.recorded_at desc`;

const SELECT_RECENT_ADDITIONAL = resultsOf(`
  select s.uid::text as of, a.started_at, a.status, a.duration_ms
  from subscription s
  cross join lateral (
    select *
    from (
      (select k.recorded_at, k.started_at, k.status, k.duration_ms
      from attempt k
      where ${OF_RECEIVER}
      limit ${RECENT_ATTEMPTS})
      union all
      (${acknowledged("acknowledgement")}
      where ${OF_RECEIVER}
      limit ${RECENT_ATTEMPTS})) a
    order by recorded_at desc
    limit ${RECENT_ATTEMPTS}) a
  where s.is_additional`);

/**
 * Returns the results of the newest attempts: at the interface's subscriptions by topic, taken from those of all topics, or at each additional receiver
 * by its uid.
 */
export function selectRecentAttempts(queryable: Queryable, isAdditional: boolean): Promise<RecentAttempts[]> {
  return isAdditional
    ? queryable.query<RecentAttempts>(SELECT_RECENT_ADDITIONAL)
    : queryable.query<RecentAttempts>(SELECT_RECENT, [WEBHOOK_TOPICS.map(({ name }) => name)]);
}
