import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { Problem } from "../../problems.ts";
import { askForRun } from "./ask-for-run.ts";
import { selectJobs, selectRuns } from "./queries.ts";
import { askedAnswer, jobAnswer, jobList, jobParams, runJobBody } from "./schema.ts";
import { viewJob, viewRun } from "./view.ts";

const view = { permission: "view" } as const;

/** Scheduled work: what it did, when it is next due, and a run that a person asks for. */
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
      schema: { hide: true, params: jobParams, body: runJobBody, response: { 200: askedAnswer } },
    },
    async ({ params }) => {
      await askForRun(deps, params.name);
      return { data: params };
    },
  );
}
