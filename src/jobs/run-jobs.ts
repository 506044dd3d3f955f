import { setTimeout as delay } from "node:timers/promises";
import { isDatabaseAway } from "../db/database-away.ts";
import type { Deps } from "../deps.ts";
import { isJobDue } from "./is-job-due.ts";
import { type Job, type JobPlan, type JobState, NEVER_RAN } from "./job.ts";
import { putPlans, selectJobStates } from "./job-queries.ts";
import { runJob } from "./run-job.ts";

const POLL_MS = 1_000;
const POLLS_A_PLAN = 5;
const SAY_EVERY_MS = 60_000;

/** From when on the log says again that the due time of a job is unknown. */
const saysFromMs = new WeakMap<Job, number>();

/** Starts each job soon after it falls due, in parallel with others, until the signal; then waits for the running ones to end. */
export async function runJobs(deps: Deps, jobs: readonly Job[], signal: AbortSignal): Promise<void> {
  const running = new Map<Job, Promise<unknown>>();
  try {
    for (let poll = 0; !signal.aborted; poll++) {
      const states = await selectJobStates(deps.db);
      if (poll % POLLS_A_PLAN === 0) await saveJobPlans(deps, jobs, states);
      for (const job of jobs) {
        if (running.has(job) || !(await isDue(deps, job, states))) continue;
        const run = runJob(deps, job, { signal })
          .catch((error: unknown) => deps.log.error({ error, job: job.name }, "a job could not be run"))
          .finally(() => running.delete(job));
        running.set(job, run);
      }
      await delay(POLL_MS, undefined, { signal, ref: false }).catch(() => {}); // stopping ends the pause
    }
  } finally {
    await Promise.all(running.values());
  }
}

/** Whether a job is due. One for which this cannot be said, as for a fault in the data, keeps no other from starting; the log says so once in a while. */
async function isDue(deps: Deps, job: Job, states: ReadonlyMap<string, JobState>): Promise<boolean> {
  try {
    return await isJobDue(deps, job, states.get(job.name) ?? NEVER_RAN);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    const nowMs = performance.now();
    if (nowMs < (saysFromMs.get(job) ?? 0)) return false;
    saysFromMs.set(job, nowMs + SAY_EVERY_MS);
    deps.log.error({ error, job: job.name }, "it cannot be said whether a job is due");
    return false;
  }
}

/** Saves the list of jobs and when each is next due, for display. One for which this cannot be said is late from its last run on. */
async function saveJobPlans(deps: Deps, jobs: readonly Job[], states: ReadonlyMap<string, JobState>): Promise<void> {
  const plans = await Promise.all(
    jobs.map(async ({ name, timing }, position): Promise<JobPlan> => {
      const doneAt = states.get(name)?.doneAt ?? null;
      const nextAt =
        timing.by === "machine"
          ? null
          : await timing.nextAt(deps, doneAt).catch((error: unknown) => {
              if (isDatabaseAway(error)) throw error;
              return doneAt; // the log says why, where it is to begin
            });
      return { name, position, timing: timing.by, nextAt };
    }),
  );
  await putPlans(deps.db, plans);
}
