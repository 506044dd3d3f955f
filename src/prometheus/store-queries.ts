import type { Queryable } from "../db/pool.ts";
import type { AllotmentType } from "../ledger/allotment-types.ts";
import type { TypeSums } from "../metrics/movement-category.ts";
import { DEAD_AFTER_FAILURES } from "../webhooks/delivery/retry-schedule.ts";

/** How long the events of a topic have waited, in seconds, at the receiver with the longest wait. */
export interface TopicWait {
  readonly topic: string;
  /** Since the oldest event that waits for its first attempt was written, by the machine's clock. */
  readonly outboxS: number;
  /** Since the earliest due delivery fell due, by the store's clock. */
  readonly overdueS: number;
}

// Reads some rows of indexes for each subscription.
const TOPIC_WAITS = `select s.topic,
  coalesce(max(extract(epoch from clock_timestamp() - first.inserted_at)), 0)::float8 as "outboxS",
  coalesce(max(extract(epoch from $1::timestamptz - due.due_at)), 0)::float8 as "overdueS"
from subscription s
left join lateral (
  select min(b.inserted_at) as inserted_at
  from (
    (select b.inserted_at
    from receiver_cursor c
    join topic_batch b on b.topic = s.topic
      and b.position > c.position
    where c.subscription_uid = s.uid
    order by b.position
    limit 1)
    union all
    (select b.inserted_at
    from topic_batch b
    where b.topic = s.topic
      and b.position is null
    limit 1)) b) first on true
left join lateral (
  select d.due_at
  from delivery d
  where d.subscription_uid = s.uid
    and d.state = 'waiting'
  order by d.due_at
  limit 1) due on true
group by s.topic`;

export function selectTopicWaits(queryable: Queryable, now: Temporal.Instant): Promise<TopicWait[]> {
  return queryable.query<TopicWait>(TOPIC_WAITS, [now]);
}

export interface DeliveryCounts {
  readonly retrying: bigint;
  readonly failed: bigint;
  /** The number of receivers. */
  readonly dead: bigint;
}

const DELIVERY_COUNTS = `select
  (select count(*) from (select from delivery where state = 'waiting' and attempts > 0 limit $1) w) as retrying,
  (select count(*) from (select from delivery where state = 'failed' limit $1) f) as failed,
  (select count(*) from subscription where failures >= ${DEAD_AFTER_FAILURES}) as dead`;

/** Each count goes up to `countedMax`. */
export async function selectDeliveryCounts(queryable: Queryable, countedMax: number): Promise<DeliveryCounts> {
  const [row] = await queryable.query<DeliveryCounts>(DELIVERY_COUNTS, [countedMax]);
  if (row === undefined) throw new Error("a select without from answers one row");
  return row;
}

const MAIL_AGE = `select extract(epoch from $1::timestamptz - m.created_at)::float8 as "ageS"
from mail m
where m.state = 'waiting'
order by m.uid
limit 1`;

/** Returns how long the oldest mail has waited, in seconds by the store's clock; 0: none waits. */
export async function selectMailAge(queryable: Queryable, now: Temporal.Instant): Promise<number> {
  const [row] = await queryable.query<{ ageS: number }>(MAIL_AGE, [now]);
  return row?.ageS ?? 0;
}

export interface JobStatus {
  readonly job: string;
  /** The end of the last successful run that is stored, by the machine's clock; null: none. */
  readonly succeededAt: Temporal.Instant | null;
  /** How long it has been due while no node runs it; negative: the time until it is due; null: never due. */
  readonly lagS: number | null;
  readonly failuresInRow: number;
  readonly runs: bigint;
  readonly failures: bigint;
}

// An index finds a job's newest runs. A job without a row has never run.
const JOB_STANDINGS = `select p.name as job,
  (
    select r.ended_at
    from job_run r
    where r.job = p.name
      and r.outcome = 'done'
    order by r.uid desc
    limit 1) as "succeededAt",
  case
    when coalesce(j.lease_until >= clock_timestamp(), false) then 0
    when p.timing = 'store' then extract(epoch from $1::timestamptz - p.next_at)
    when j.ready_at > '-infinity' then extract(epoch from clock_timestamp() - j.ready_at)
  end::float8 as "lagS",
  coalesce(j.failures_in_row, 0) as "failuresInRow",
  coalesce(j.runs, 0) as runs,
  coalesce(j.failures, 0) as failures
from job_plan p
left join job j on j.name = p.name
order by p.position`;

/** Returns the scheduled jobs; `now` is the store's time. */
export function selectJobStatuses(queryable: Queryable, now: Temporal.Instant): Promise<JobStatus[]> {
  return queryable.query<JobStatus>(JOB_STANDINGS, [now]);
}

const MOVEMENTS = `select d.type,
  sum(d.gained)::text as gained,
  sum(d.gains)::bigint as gains,
  sum(d.taken)::text as taken,
  sum(d.takes)::bigint as takes
from figure_book b
join figure_day d on d.edition = b.edition
where b.is_shown
group by d.type`;

type MovementRow = { type: AllotmentType; gained: string; gains: bigint; taken: string; takes: bigint };

/** Returns everything that the worker has counted of the ledger by type, from one row per day and type. */
export async function selectMovements(queryable: Queryable): Promise<TypeSums[]> {
  const rows = await queryable.query<MovementRow>(MOVEMENTS);
  return rows.map((row) => ({ ...row, gained: BigInt(row.gained), taken: BigInt(row.taken) }));
}

/** Null: not counted yet. */
export async function selectCustomerCount(queryable: Queryable): Promise<bigint | null> {
  const [row] = await queryable.query<{ customers: bigint }>("select customers from figure_count");
  return row?.customers ?? null;
}

export async function selectDatabaseSize(queryable: Queryable): Promise<bigint> {
  const [row] = await queryable.query<{ bytes: bigint }>("select pg_database_size(current_database()) as bytes");
  if (row === undefined) throw new Error("a select without from answers one row");
  return row.bytes;
}
