import type { Deps } from "../deps.ts";
import { type Job, NEVER_RAN, type StoreTiming } from "./job.ts";
import { selectJobStates } from "./job-queries.ts";

/** When the store's clock next has to stop for a job: at the first time of its schedule at which there is work; null: never. */
export async function nextJobDueAt(
  deps: Deps,
  { name, timing }: Job & { readonly timing: StoreTiming },
): Promise<Temporal.Instant | null> {
  const { doneAt } = (await selectJobStates(deps.db)).get(name) ?? NEVER_RAN;
  const [scheduledAt, workAt] = await Promise.all([timing.nextAt(deps, doneAt), timing.workAt(deps)]);
  if (scheduledAt === null || workAt === null) return null;
  return Temporal.Instant.compare(scheduledAt, workAt) >= 0 ? scheduledAt : workAt;
}
