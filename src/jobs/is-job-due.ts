import type { Deps } from "../deps.ts";
import type { Job, JobState } from "./job.ts";

/**
 * Whether a job may start now: no node runs it, its pause is over, and a run is scheduled by the store's time. A requested run of a scheduled job may
 * start as well.
 */
export async function isJobDue(deps: Deps, { timing }: Job, state: Omit<JobState, "name">): Promise<boolean> {
  if (!state.isFree) return false;
  if (timing.by === "machine") return true;
  const at = await timing.nextAt(deps, state.doneAt);
  return at !== null && (state.isAsked || Temporal.Instant.compare(at, deps.clock.now()) <= 0);
}
