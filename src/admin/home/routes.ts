import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { runRead } from "../../http/run-read.ts";
import { readHome } from "./read-home.ts";
import { homeAnswer, homeQuery, stepAnswer, stepBody, stepParams } from "./schema.ts";
import { writeSetupStep } from "./setup-queries.ts";
import type { SetupStep } from "./setup-steps.ts";
import { homeView } from "./view.ts";

/** `GET /home`: the store's figures over a period of days. `PUT /home/setup/:step`: confirms a step of the checklist. */
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

/** Stores that a person confirmed a step of the first-run checklist, or removes that. Repeating it changes nothing. */
async function confirmStep(
  deps: Pick<Deps, "db" | "clock">,
  { step, isConfirmed, by }: { readonly step: SetupStep; readonly isConfirmed: boolean; readonly by: string },
): Promise<void> {
  await deps.db.tx(async (tx) => {
    if (!(await writeSetupStep(tx, { step, isConfirmed, at: deps.clock.now(), by }))) return;
    const action = isConfirmed ? "setup.step_confirmed" : "setup.step_reopened";
    await recordAction(tx, deps, { action, subject: { kind: "setup_step", id: step } });
  });
}
