import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { selectJobs } from "./queries.ts";
import { viewJob } from "./view.ts";

const ASK = `insert into job_request (job, requested_at)
values ($1, clock_timestamp())
on conflict (job) do update
set requested_at = excluded.requested_at`;

/**
 * Asks for a run of a job now, whatever its schedule and its pause say: the first free node does it, under the job's lease, so that no two
 * run at once. Throws `not_found` where no such job is scheduled.
 */
export async function askForRun(deps: Pick<Deps, "db" | "clock">, name: string): Promise<void> {
  const [job] = await selectJobs(deps.db, deps.clock.now(), name);
  if (job === undefined || !viewJob(job).can_run) throw new Problem("not_found");
  await deps.db.tx(async (tx) => {
    await tx.execute(ASK, [name]);
    await recordAction(tx, deps, { action: "job.requested", subject: { kind: "job", id: name } });
  });
}
