import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { Problem } from "../../problems.ts";
import { insertJobRequest, selectJobs, selectRuns } from "./queries.ts";
import { jobAnswer, jobList, jobParams, jobStartAnswer, runJobBody } from "./schema.ts";
import { viewJob, viewRun } from "./view.ts";

const view = { permission: "view" } as const;

/** Routes of scheduled work: past runs, when each job is next due, and requesting a run. */
export function jobsAdminRoutes(app: App, deps: Deps): void {
  app.get("/jobs", { config: view, schema: { hide: true, response: { 200: jobList } } }, async () => {
    const jobs = await selectJobs(deps.db, deps.clock.now(), null);
    return { data: jobs.map(viewJob) };
  });
  app.get(
    "/jobs/:name",
    { config: view, schema: { hide: true, params: jobParams, response: { 200: jobAnswer } } },
    async ({ params }) => {
      const [job] = await selectJobs(deps.db, deps.clock.now(), params.name);
      if (job === undefined) throw new Problem("not_found");
      const history = await selectRuns(deps.db, params.name);
      return { data: { ...viewJob(job), history: history.map(viewRun) } };
    },
  );
  app.post(
    "/jobs/:name/run",
    {
      config: { permission: "jobs.run" },
      schema: { hide: true, params: jobParams, body: runJobBody, response: { 200: jobStartAnswer } },
    },
    async ({ params }) => {
      await askForRun(deps, params.name);
      return { data: params };
    },
  );
}

/**
 * Requests a run of a job now, regardless of its schedule and pause. The first free node does it, under the job's lease, so that no two run at once.
 * Throws `not_found` if no such job is scheduled.
 */
async function askForRun(deps: Pick<Deps, "db" | "clock">, name: string): Promise<void> {
  const [job] = await selectJobs(deps.db, deps.clock.now(), name);
  if (job === undefined || !viewJob(job).can_run) throw new Problem("not_found");
  await deps.db.tx(async (tx) => {
    await insertJobRequest(tx, name);
    await recordAction(tx, deps, { action: "job.requested", subject: { kind: "job", id: name } });
  });
}
