import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { runRead } from "../../http/run-read.ts";
import { confirmStep } from "./confirm-step.ts";
import { readHome } from "./read-home.ts";
import { homeAnswer, homeQuery, stepAnswer, stepBody, stepParams } from "./schema.ts";
import { homeView } from "./view.ts";

/** `GET /home`: a store at a glance, over a period of its days. `PUT /home/setup/:step`: a step of the checklist is right as it is. */
export function homeAdminRoutes(app: App, deps: Deps): void {
  app.get(
    "/home",
    {
      config: { permission: "view" },
      schema: { hide: true, querystring: homeQuery, response: { 200: homeAnswer } },
    },
    async (request, reply) => ({
      data: homeView(
        await runRead(deps, [request, reply], (from) => readHome(from, request.query)),
        deps.reads.replica(),
      ),
    }),
  );
  app.put(
    "/home/setup/:step",
    {
      config: { permission: "program.change" },
      schema: { hide: true, params: stepParams, body: stepBody, response: { 200: stepAnswer } },
    },
    async ({ params: { step }, body: { confirmed }, staff }) => {
      await confirmStep(deps, { step, isConfirmed: confirmed, by: staff.name });
      return { data: { step, confirmed } };
    },
  );
}
