import type { Queryable, Tx } from "../../db/pool.ts";

export interface JobRunFacts {
  readonly uid: string | null;
  /** By the store's clock; the duration is by the machine's. */
  readonly startedAt: Temporal.Instant | null;
  readonly durationMs: bigint | null;
  readonly outcome: string | null;
  readonly items: bigint | null;
  readonly error: string | null;
}

/** A job of the schedule with its newest run. */
export interface JobFacts extends JobRunFacts {
  readonly name: string;
  readonly timing: "machine" | "store";
  readonly nextAt: Temporal.Instant | null;
  /** When its pause ends, by the store's clock. */
  readonly readyAt: Temporal.Instant;
  readonly isRunning: boolean;
  readonly isAsked: boolean;
  readonly isLate: boolean;
  readonly runs: bigint | null;
  readonly failures: bigint | null;
  readonly failuresInRow: number | null;
}

// A run whose process died has neither an end nor a lease.
const RUN = `r.uid,
  r.business_at as "startedAt",
  (extract(epoch from coalesce(r.ended_at, case when j.lease_uid = r.uid then clock_timestamp() end) - r.started_at) * 1000)::bigint
    as "durationMs",
  r.outcome,
  r.items,
  r.error`;

// Compares with the store's clock ($2) and otherwise with the machine's. A job is overdue if no node began it within five minutes.
const SELECT_JOBS = `select p.name,
  p.timing,
  p.next_at as "nextAt",
  $2::timestamptz + greatest(coalesce(nullif(j.ready_at, '-infinity') - clock_timestamp(), interval '0'), interval '0') as "readyAt",
  coalesce(j.lease_until >= clock_timestamp(), false) as "isRunning",
  q.requested_at > coalesce(r.started_at, '-infinity') is true as "isAsked",
  case p.timing when 'store' then p.next_at < $2::timestamptz - interval '5 minutes'
    else j.ready_at < clock_timestamp() - interval '5 minutes' end is true
    and coalesce(j.lease_until < clock_timestamp(), true) as "isLate",
  j.runs,
  j.failures,
  j.failures_in_row as "failuresInRow",
  ${RUN}
from job_plan p
left join job j on j.name = p.name
left join job_request q on q.job = p.name
left join lateral (
  select *
  from job_run r
  where r.job = p.name
  order by r.uid desc
  limit 1) r on true
where p.name = coalesce($1::text, p.name)
order by p.position`;

/** Returns every job of the schedule, or one, if `name` is given. `now`: by the store's clock. */
export function selectJobs(queryable: Queryable, now: Temporal.Instant, name: string | null): Promise<JobFacts[]> {
  return queryable.query<JobFacts>(SELECT_JOBS, [name, now]);
}

const SELECT_RUNS = `select ${RUN}
from job_run r
left join job j on j.name = r.job
where r.job = $1
order by r.uid desc`;

/** Returns the stored runs of a job, newest first. */
export function selectRuns(queryable: Queryable, name: string): Promise<JobRunFacts[]> {
  return queryable.query<JobRunFacts>(SELECT_RUNS, [name]);
}

const INSERT_REQUEST = `insert into job_request (job, requested_at)
values ($1, clock_timestamp())
on conflict (job) do update
set requested_at = excluded.requested_at`;

/** Requests a run. The request counts until a run begins after it, by the machine's clock. */
export async function insertJobRequest(tx: Tx, name: string): Promise<void> {
  await tx.execute(INSERT_REQUEST, [name]);
}
