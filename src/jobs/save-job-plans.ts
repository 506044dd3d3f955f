import type { Deps } from "../deps.ts";
import type { Job, JobPlan, JobState } from "./job.ts";
import { putPlans } from "./job-queries.ts";

/** Saves the list of jobs and when each is next due, for the schedule that is shown. */
export async function saveJobPlans(
  deps: Deps,
  jobs: readonly Job[],
  states: ReadonlyMap<string, JobState>,
): Promise<void> {
  const plans = await Promise.all(
    jobs.map(async ({ name, timing }, position): Promise<JobPlan> => {
      const nextAt = timing.by === "machine" ? null : await timing.nextAt(deps, states.get(name)?.doneAt ?? null);
      return { name, position, timing: timing.by, nextAt };
    }),
  );
  await putPlans(deps.db, plans);
}
