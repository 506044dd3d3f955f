import type { Deps } from "../deps.ts";
import type { Job, JobState } from "./job.ts";

/**
 * Whether a job may be begun at this moment: no node has it, its pause is over, and by the store's time there is a run to do, or
 * somebody asked for one of a job that is scheduled at all.
 */
export async function isJobDue(deps: Deps, { timing }: Job, state: Omit<JobState, "name">): Promise<boolean> {
  if (!state.isFree) return false;
  if (timing.by === "machine") return true;
  const at = await timing.nextAt(deps, state.doneAt);
  return at !== null && (state.isAsked || Temporal.Instant.compare(at, deps.clock.now()) <= 0);
}
