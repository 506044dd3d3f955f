import { currentActor } from "../../actor.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { runRead } from "../../http/run-read.ts";
import { closeMonths } from "../../liability/close-months.ts";
import { listMovements } from "../../liability/list-movements.ts";
import { readJournal } from "../../liability/read-journal.ts";
import { readLiability } from "../../liability/read-liability.ts";
import {
  closeAnswer,
  closeBody,
  estimateBody,
  monthQuery,
  movementsQuery,
  reportAnswer,
  reportQuery,
} from "../../liability/schema.ts";
import { setEstimate } from "../../liability/set-estimate.ts";
import { viewLiability } from "../../liability/view.ts";
import { nameMovements } from "./name-movements.ts";
import { namedMovementsAnswer } from "./schema.ts";
import { viewNamedMovements } from "./view.ts";

const view = { permission: "view" } as const;
const manage = { permission: "liability.manage" } as const;

/** Routes of the liability of points: a month's report and its sources, the journal, estimates, and closing a month. */
export function liabilityAdminRoutes(app: App, deps: Deps): void {
  app.get(
    "/liability",
    { config: view, schema: { hide: true, querystring: reportQuery, response: { 200: reportAnswer } } },
    async (request, reply) => {
      const { month } = request.query;
      return { data: viewLiability(await runRead(deps, [request, reply], (from) => readLiability(from, month))) };
    },
  );
  app.get(
    "/liability/movements",
    { config: view, schema: { hide: true, querystring: movementsQuery, response: { 200: namedMovementsAnswer } } },
    async (request, reply) =>
      runRead(deps, [request, reply], async (from) => {
        const page = await listMovements(from, request.query);
        return viewNamedMovements(await nameMovements(from, page.rows), page);
      }),
  );
  app.get(
    "/liability.csv",
    { config: { permission: "lists.export" }, schema: { hide: true, querystring: monthQuery } },
    async (request, reply) => {
      const file = await runRead(deps, [request, reply], (from) => readJournal(from, request.query.month));
      return reply
        .header("content-type", "text/csv; charset=utf-8")
        .header("content-disposition", `attachment; filename="${file.name}"`)
        .header("cache-control", "private, no-store")
        .send(file.text);
    },
  );
  changeRoutes(app, deps);
}

function changeRoutes(app: App, deps: Deps): void {
  app.put(
    "/liability/estimate",
    { config: manage, schema: { hide: true, body: estimateBody, response: { 200: reportAnswer } } },
    async ({ body }) => {
      await setEstimate(deps, body, currentActor().name);
      return { data: viewLiability(await readLiability(deps, undefined)) };
    },
  );
  app.post(
    "/liability/close",
    { config: manage, schema: { hide: true, body: closeBody, response: { 200: closeAnswer } } },
    async ({ body }) => ({ data: { months: await closeMonths(deps, body.month, currentActor().name) } }),
  );
}
