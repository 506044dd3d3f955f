import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { runRead } from "../http/run-read.ts";
import { listMovements } from "./list-movements.ts";
import { readJournal } from "./read-journal.ts";
import { readLiability } from "./read-liability.ts";
import { monthQuery, movementsAnswer, movementsQuery, reportAnswer, reportQuery } from "./schema.ts";
import { viewLiability, viewMovements } from "./view.ts";

const tags = ["Reports"];
const config = { scope: "read" } as const;

/** The routes of `GET /reports/liability`, of the movements behind its figures, and of its journal entries (docs/liability.md). */
export function liabilityRoutes(app: App, deps: Deps): void {
  app.get(
    "/reports/liability",
    {
      config,
      schema: {
        tags,
        summary: "Points owed and revenue deferred, by month",
        description: "By month of issue and origin. A closed month never changes.",
        querystring: reportQuery,
        response: { 200: reportAnswer },
      },
    },
    async (request, reply) => {
      const { month } = request.query;
      return { data: viewLiability(await runRead(deps, [request, reply], (from) => readLiability(from, month))) };
    },
  );
  app.get(
    "/reports/liability/movements",
    {
      config,
      schema: {
        tags,
        summary: "The allotments behind a figure of points",
        description: "Oldest first. A page may have few or no rows although another page follows.",
        querystring: movementsQuery,
        response: { 200: movementsAnswer },
      },
    },
    async (request, reply) =>
      viewMovements(await runRead(deps, [request, reply], (from) => listMovements(from, request.query))),
  );
  app.get(
    "/reports/liability/journal",
    {
      config,
      schema: { tags, summary: "A month's journal entries as a CSV file", querystring: monthQuery },
    },
    async (request, reply) => {
      const file = await runRead(deps, [request, reply], (from) => readJournal(from, request.query.month));
      return reply
        .header("content-type", "text/csv; charset=utf-8")
        .header("content-disposition", `attachment; filename="${file.name}"`)
        .send(file.text);
    },
  );
}
