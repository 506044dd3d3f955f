import { whileLeased } from "../db/lease.ts";
import type { Deps } from "../deps.ts";
import { isAbort } from "./is-abort.ts";
import { isJobDue } from "./is-job-due.ts";
import { type Job, NEVER_RAN } from "./job.ts";
import { claimJob, endJob, type JobEnd, type JobLease, renewJob, selectJobStates } from "./job-queries.ts";

/** How long the lease of a node that died still blocks a job. */
const LEASE_MS = 30_000;

export interface RunJobOptions {
  readonly signal?: AbortSignal;
  readonly leaseMs?: number;
}

/**
 * Runs a job once if it is due and no other node runs it; returns whether it ran to its end. The lease uses the database's clock and is renewed
 * during the run; a run that lost it stops and reports nothing. A failed run is logged and tried again after a pause. What was due stays due until a
 * run has done it.
 */
export async function runJob(deps: Deps, job: Job, options: RunJobOptions = {}): Promise<boolean> {
  const state = (await selectJobStates(deps.db)).get(job.name) ?? NEVER_RAN;
  if (!(await isJobDue(deps, job, state))) return false;
  const lease = { job: job.name, runUid: deps.random.uid(), leaseMs: options.leaseMs ?? LEASE_MS };
  const businessAt = deps.clock.now();
  if (!(await claimJob(deps.db, lease, { doneAt: state.doneAt, businessAt }))) return false;
  const end = await work(deps, job, lease, { businessAt, signal: options.signal });
  const isReported = await deps.db.tx((tx) => endJob(tx, lease, end));
  return isReported && end.outcome === "done";
}

function work(
  deps: Deps,
  job: Job,
  lease: JobLease,
  { businessAt, signal }: { businessAt: Temporal.Instant; signal: AbortSignal | undefined },
): Promise<JobEnd> {
  const renewal = {
    leaseMs: lease.leaseMs,
    renew: () => renewJob(deps.db, lease),
    onError: (error: unknown) => deps.log.warn({ error, job: job.name }, "the lease of a job was not renewed"),
    signal,
  };
  const { timing } = job;
  const unfinished = { doneAt: null, pauseMs: 0 };
  return whileLeased<JobEnd>(renewal, async (stop) => {
    try {
      const items = await job.run(deps, stop);
      if (stop.aborted) return { ...unfinished, outcome: "stopped", items, error: null };
      if (timing.by === "machine")
        return { outcome: "done", items, error: null, doneAt: null, pauseMs: timing.everyMs };
      return { outcome: "done", items, error: null, doneAt: businessAt, pauseMs: 0 };
    } catch (error) {
      if (stop.aborted) {
        if (!isAbort(error)) deps.log.warn({ error, job: job.name }, "a job failed while it was stopped");
        return { ...unfinished, outcome: "stopped", items: 0, error: null };
      }
      deps.log.error({ error, job: job.name }, "a job failed");
      const text = error instanceof Error ? error.message : String(error);
      return { ...unfinished, outcome: "failed", items: 0, error: text };
    }
  });
}
