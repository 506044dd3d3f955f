import { Readable } from "node:stream";
import type { Deps } from "../../deps.ts";
import { allotmentSentences } from "../../explain/allotment-sentences.ts";
import { explainAllotment } from "../../explain/explain-allotment.ts";
import { createFormatter } from "../../explain/formatter.ts";
import { allotmentQuery } from "../../explain/schema.ts";
import type { App } from "../../http/app-type.ts";
import { runRead } from "../../http/run-read.ts";
import { viewExplanation } from "./explanation-view.ts";
import { exportLedger } from "./export-ledger.ts";
import { listLedger } from "./list-ledger.ts";
import {
  ledgerExplanation,
  ledgerFileQuery,
  ledgerFilters,
  ledgerPage,
  ledgerParams,
  ledgerQuery,
  ledgerTotals,
} from "./schema.ts";
import { totalLedger } from "./total-ledger.ts";
import { viewTotals } from "./view.ts";

const config = { permission: "view" } as const;

/** The store's allotments: the list, its sums and its file, and why one is what it is. */
export function ledgerAdminRoutes(app: App, deps: Deps): void {
  app.get(
    "/ledger",
    { config, schema: { hide: true, querystring: ledgerQuery, response: { 200: ledgerPage } } },
    (request, reply) => runRead(deps, [request, reply], (from) => listLedger(from, request.query)),
  );
  app.get(
    "/ledger/totals",
    { config, schema: { hide: true, querystring: ledgerFilters, response: { 200: ledgerTotals } } },
    async (request, reply) =>
      viewTotals(await runRead(deps, [request, reply], (from) => totalLedger(from, request.query))),
  );
  app.get(
    "/ledger/:uid/explanation",
    {
      config,
      schema: {
        hide: true,
        params: ledgerParams,
        querystring: allotmentQuery,
        response: { 200: ledgerExplanation },
      },
    },
    async (request, reply) => {
      const explanation = await runRead(deps, [request, reply], (from) => explainAllotment(from, request.params.uid));
      const format = createFormatter(request.query.language ?? "en", explanation.timeZone);
      return { data: viewExplanation(explanation, allotmentSentences(explanation, format)) };
    },
  );
  app.get(
    "/ledger.csv",
    { config: { permission: "lists.export" }, schema: { hide: true, querystring: ledgerFileQuery } },
    async (request, reply) => {
      const { name, pieces } = await exportLedger(deps, request.query);
      return reply
        .header("content-type", "text/csv; charset=utf-8")
        .header("content-disposition", `attachment; filename="${name}"`)
        .header("cache-control", "private, no-store")
        .send(Readable.from(pieces, { objectMode: false }));
    },
  );
}
