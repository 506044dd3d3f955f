import { formatInstant } from "../../time/store-time.ts";
import type { JobFacts, JobRunFacts } from "./queries.ts";
import type { JobRow, JobRunRow } from "./schema.ts";

const time = (instant: Temporal.Instant | null) => (instant === null ? null : formatInstant(instant));
const number = (value: bigint | null) => (value === null ? null : Number(value));

export function viewJob(job: JobFacts): JobRow {
  return {
    name: job.name,
    timing: job.timing,
    next_at: time(job.timing === "store" ? job.nextAt : job.readyAt),
    is_late: job.isLate,
    is_running: job.isRunning,
    is_asked: job.isAsked,
    can_run: job.timing === "machine" || job.nextAt !== null,
    runs: Number(job.runs ?? 0),
    failures: Number(job.failures ?? 0),
    failures_in_row: job.failuresInRow ?? 0,
    ...runFields(job),
  };
}

export function viewRun(run: JobRunFacts): JobRunRow {
  return { uid: run.uid ?? "", ...runFields(run) };
}

function runFields(run: JobRunFacts) {
  return {
    started_at: time(run.startedAt),
    duration_ms: number(run.durationMs),
    outcome: run.outcome,
    items: number(run.items),
    error: run.error,
  };
}
