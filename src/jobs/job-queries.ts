import { isLeaseOver, leaseEnd } from "../db/lease.ts";
import type { Queryable, Tx } from "../db/pool.ts";
import type { JobOutcome, JobPlan, JobReport, JobState } from "./job.ts";

const RUNS_KEPT = 100;

/** Seconds; no job pauses for longer. */
const PAUSE_MAX_S = 3_600;

// No pause and no lease is that long: a later time is of a clock that was ahead and has been corrected since.
const TOO_LATE = `clock_timestamp() + interval '${PAUSE_MAX_S} seconds'`;
const IS_PAUSE_OVER = `(j.ready_at <= clock_timestamp() or j.ready_at > ${TOO_LATE})`;
const IS_FREE = `coalesce(${isLeaseOver("j", PAUSE_MAX_S)}, true)`;

/** True of a job `j` that a person requested, if no run has begun since; requests and runs of a clock that was ahead do not count. */
const ASKED = `exists (
    select
    from job_request r
    where r.job = j.name
      and r.requested_at <= clock_timestamp()
      and r.requested_at > coalesce((
        select max(run.started_at)
        from job_run run
        where run.job = r.job
          and run.started_at <= ${TOO_LATE}), '-infinity'))`;

// A job that never ran has no row, but may have been requested.
const SELECT_STATES = `select j.name,
  j.done_at as "doneAt",
  (${IS_PAUSE_OVER} or asked."isAsked") and ${IS_FREE} as "isFree",
  asked."isAsked"
from (
  select name, done_at, ready_at, lease_until
  from job
  union all
  select r.job, null, '-infinity', null
  from job_request r
  where not exists (
    select
    from job
    where name = r.job)) j
cross join lateral (select ${ASKED} as "isAsked") asked`;

/** Returns the state of every job that ever ran or was requested, by name. */
export async function selectJobStates(queryable: Queryable): Promise<Map<string, JobState>> {
  const rows = await queryable.query<JobState>(SELECT_STATES);
  return new Map(rows.map((row) => [row.name, row]));
}

/** A run that this process has begun: the right to report on it, until the lease expires. */
export interface JobLease {
  readonly job: string;
  readonly runUid: string;
  readonly leaseMs: number;
}

// done_at is compared, so that work is not repeated that another node did after the state was read.
const CLAIM = `with claimed as (
  insert into job as j (name, lease_uid, lease_until)
  values ($1, $2, ${leaseEnd("$3")})
  on conflict (name) do update
  set lease_uid = excluded.lease_uid,
    lease_until = excluded.lease_until
  where (${IS_PAUSE_OVER} or ${ASKED})
    and ${IS_FREE}
    and j.done_at is not distinct from $4
  returning name)
insert into job_run (uid, job, business_at, started_at)
select $2, name, $5, clock_timestamp()
from claimed`;

/** Claims a job for a run, if its state is unchanged since it was read; returns whether it did. */
export async function claimJob(
  queryable: Queryable,
  { job, runUid, leaseMs }: JobLease,
  at: { doneAt: Temporal.Instant | null; businessAt: Temporal.Instant },
): Promise<boolean> {
  return (await queryable.execute(CLAIM, [job, runUid, leaseMs / 1_000, at.doneAt, at.businessAt])) === 1;
}

const REWIND = `update job
set done_at = null
where name = $1
  and done_at > $2`;

/** Moves a job's `done_at` back, because the sandbox clock is set back to `to`. */
export async function rewindJob(queryable: Queryable, name: string, to: Temporal.Instant): Promise<void> {
  await queryable.execute(REWIND, [name, to]);
}

const PLAN = `insert into job_plan as p (name, position, timing, next_at)
select *
from unnest($1::text[], $2::smallint[], $3::text[], $4::timestamptz[]) as t (name, position, timing, next_at)
on conflict (name) do update
set position = excluded.position,
  timing = excluded.timing,
  next_at = excluded.next_at
where (p.position, p.timing, p.next_at) is distinct from (excluded.position, excluded.timing, excluded.next_at)`;

// A row that only another release writes would be late for ever when that release is gone: taken back, or replaced.
const PLAN_OTHERS = `update job_plan
set timing = 'store',
  next_at = null
where name <> all($1)
  and (timing <> 'store' or next_at is not null)`;

// Not where a worker of another release still runs it.
const FORGIVE_OTHERS = `update job
set failures_in_row = 0
where name <> all($1)
  and failures_in_row > 0
  and not exists (
    select
    from job_run r
    where r.job = job.name
      and r.started_at > clock_timestamp() - interval '1 hour')`;

/** Writes the plans that have changed; jobs that are not among them are planned never, and their failures no longer count. */
export async function putPlans(queryable: Queryable, plans: readonly JobPlan[]): Promise<void> {
  const names = plans.map(({ name }) => name);
  await queryable.execute(PLAN_OTHERS, [names]);
  await queryable.execute(FORGIVE_OTHERS, [names]);
  await queryable.execute(PLAN, [
    names,
    plans.map(({ position }) => position),
    plans.map(({ timing }) => timing),
    plans.map(({ nextAt }) => nextAt),
  ]);
}

const RENEW = `update job
set lease_until = ${leaseEnd("$3")}
where name = $1
  and lease_uid = $2`;

/** Extends the lease. Returns whether it was still held. */
export async function renewJob(queryable: Queryable, { job, runUid, leaseMs }: JobLease): Promise<boolean> {
  return (await queryable.execute(RENEW, [job, runUid, leaseMs / 1_000])) === 1;
}

export interface JobEnd {
  readonly outcome: JobOutcome;
  readonly items: number;
  readonly error: string | null;
  /** Everything due by then is done; null: unchanged. */
  readonly doneAt: Temporal.Instant | null;
  /** The pause before the next run, in machine time. After a failure the pause depends on the number of failures in a row instead. */
  readonly pauseMs: number;
}

const END = `update job
set lease_uid = null,
  lease_until = null,
  done_at = coalesce($3, done_at),
  ready_at = clock_timestamp() + make_interval(
    secs => case when $4 = 'failed' then least(600, 5 * 2 ^ least(failures_in_row, 10)) else least($5::double precision, ${PAUSE_MAX_S}) end),
  runs = runs + 1,
  failures = failures + case when $4 = 'failed' then 1 else 0 end,
  failures_in_row = case $4 when 'failed' then failures_in_row + 1 when 'done' then 0 else failures_in_row end,
  items = items + $6
where name = $1
  and lease_uid = $2`;

const END_RUN = `update job_run
set ended_at = clock_timestamp(),
  outcome = $2,
  items = $3,
  error = $4
where uid = $1`;

// Those of a clock that was ahead count as the oldest: they would push out each new one, and a requested run would be repeated for ever.
const PRUNE = `delete from job_run
where uid in (
  select r.uid
  from job_run r
  where r.job = $1
  order by r.started_at <= ${TOO_LATE} desc, r.uid desc
  offset ${RUNS_KEPT})`;

/** Records the end of a run. Returns whether its lease was still held; otherwise another run has the job, and nothing is written. */
export async function endJob(tx: Tx, { job, runUid }: JobLease, end: JobEnd): Promise<boolean> {
  const { outcome, items, error, doneAt, pauseMs } = end;
  if ((await tx.execute(END, [job, runUid, doneAt, outcome, pauseMs / 1_000, items])) === 0) return false;
  await tx.execute(END_RUN, [runUid, outcome, items, error]);
  await tx.execute(PRUNE, [job]);
  return true;
}

const SELECT_REPORTS = `select j.name,
  j.done_at as "doneAt",
  j.ready_at as "readyAt",
  j.runs,
  j.failures,
  j.items,
  coalesce(j.lease_until >= clock_timestamp(), false) as "isRunning",
  r.started_at as "startedAt",
  (extract(epoch from coalesce(r.ended_at, case when j.lease_uid = r.uid then clock_timestamp() end) - r.started_at) * 1000)::bigint
    as "durationMs",
  r.outcome,
  r.items as "lastItems",
  r.error
from job j
left join lateral (
  select *
  from job_run r
  where r.job = j.name
  order by r.uid desc
  limit 1) r on true`;

/** Returns every job that ever ran, with its counters and its newest run, by name. */
export async function selectJobReports(queryable: Queryable): Promise<Map<string, JobReport>> {
  const rows = await queryable.query<JobReport>(SELECT_REPORTS);
  return new Map(rows.map((row) => [row.name, row]));
}
