import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { runRead } from "../../http/run-read.ts";
import { listBenefits } from "./list-benefits.ts";
import { readBenefits } from "./read-benefits.ts";
import { readResult } from "./read-result.ts";
import { readResults } from "./read-results.ts";
import {
  benefitsAnswer,
  listedBenefitsAnswer,
  listedBenefitsQuery,
  resultAnswer,
  resultParams,
  resultsAnswer,
  resultsQuery,
} from "./schema.ts";
import { benefitsView, listedBenefitsView, resultsView, resultView } from "./view.ts";

const view = { permission: "view" } as const;

/** Routes of the results of campaigns, bonus collections, coupons and rewards, including past ones. */
export function resultsAdminRoutes(app: App, deps: Deps): void {
  app.get(
    "/results",
    { config: view, schema: { hide: true, querystring: resultsQuery, response: { 200: resultsAnswer } } },
    async (request, reply) =>
      resultsView(await runRead(deps, [request, reply], (from) => readResults(from, request.query))),
  );
  app.get(
    "/results/benefits",
    { config: view, schema: { hide: true, response: { 200: benefitsAnswer } } },
    async (request, reply) => benefitsView(await runRead(deps, [request, reply], readBenefits)),
  );
  app.get(
    "/results/benefits/list",
    { config: view, schema: { hide: true, querystring: listedBenefitsQuery, response: { 200: listedBenefitsAnswer } } },
    async (request, reply) =>
      listedBenefitsView(await runRead(deps, [request, reply], (from) => listBenefits(from, request.query))),
  );
  app.get(
    "/results/:id",
    { config: view, schema: { hide: true, params: resultParams, response: { 200: resultAnswer } } },
    async (request, reply) =>
      resultView(await runRead(deps, [request, reply], (from) => readResult(from, request.params.id))),
  );
}
