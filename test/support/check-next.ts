import type { Deps } from "../../src/deps.ts";
import { PERIODIC_TASKS } from "../../src/jobs/schedule.ts";

/** Runs the self-check's next slice as the worker does, with the checks that the schedule gives it. */
export async function checkNext(deps: Deps): Promise<void> {
  const task = PERIODIC_TASKS.find(({ name }) => name === "self-check");
  if (task === undefined) throw new Error("the schedule has no self-check");
  await task.run(deps);
}
