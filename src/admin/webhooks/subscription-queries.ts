import type { Queryable } from "../../db/pool.ts";
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

const SELECT_SUBSCRIPTIONS = `select s.topic,
  s.uid,
  s.callback_url as "callbackUrl",
  s.activated_at as "activatedAt",
  s.next_secret_sealed is not null as "isRotating",
  s.failures,
  ${counted("waiting")} as waiting,
  ${counted("failed")} as failed
from subscription s`;

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

const SELECT_RECENT = `select e.topic,
  count(*),
  max(a.started_at) filter (where a.status = 200) as "lastSuccessAt",
  max(a.started_at) filter (where a.status is distinct from 200) as "lastFailureAt",
  percentile_disc(0.5) within group (order by a.duration_ms) filter (where a.status = 200) as "medianMs",
  percentile_disc(0.95) within group (order by a.duration_ms) filter (where a.status = 200) as "slowMs"
from (
  select bucket, delivery_uid, started_at, status, duration_ms
  from attempt
  order by recorded_at desc
  limit ${RECENT_ATTEMPTS}) a
join outbox_event e on e.bucket = a.bucket and e.uid = a.delivery_uid
group by e.topic`;

export function selectRecentAttempts(queryable: Queryable): Promise<RecentAttempts[]> {
  return queryable.query<RecentAttempts>(SELECT_RECENT);
}
