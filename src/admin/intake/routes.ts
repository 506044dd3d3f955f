import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { runRead } from "../../http/run-read.ts";
import { readBacklog } from "../../intake/read-backlog.ts";
import { reprocessReceipt } from "../../intake/reprocess-receipt.ts";
import { Problem } from "../../problems.ts";
import { can } from "../../staff/permissions.ts";
import { COUNTED_MAX } from "../../wire/limits.ts";
import { countListed } from "../count-listed.ts";
import { listCountAnswer } from "../list-count-schema.ts";
import { listReceipts } from "./list-receipts.ts";
import { countListedReceipts, countUndone, selectOneReceipt, selectTopics } from "./queries.ts";
import { reprocessReceipts } from "./reprocess-receipts.ts";
import * as wire from "./schema.ts";
import { receiptFiltersOf, viewBacklog, viewConnections, viewOneReceipt, viewSummary } from "./view.ts";

/** The limit of counts on a page that many people view. */
const BACKLOG_COUNTED_TO = 100_000;

const view = { permission: "view" } as const;
const reprocess = { permission: "intake.reprocess" } as const;

/** Routes of receipts: the list, a receipt with its body, and processing again. */
export function intakeAdminRoutes(app: App, deps: Deps): void {
  app.get(
    "/intake/receipts",
    { config: view, schema: { hide: true, querystring: wire.receiptQuery, response: { 200: wire.receiptPage } } },
    (request, reply) => runRead(deps, [request, reply], (from) => listReceipts(from, request.query)),
  );
  app.get(
    "/intake/receipts/count",
    { config: view, schema: { hide: true, querystring: wire.receiptFilters, response: { 200: listCountAnswer } } },
    (request, reply) =>
      countListed(deps, [request, reply], (tx) => countListedReceipts(tx, receiptFiltersOf(request.query))),
  );
  app.get(
    "/intake/summary",
    { config: view, schema: { hide: true, response: { 200: wire.receiptSummary } } },
    async () => {
      const [counts, topics] = await Promise.all([countUndone(deps.db), selectTopics(deps.db)]);
      return { data: viewSummary(counts, topics, COUNTED_MAX) };
    },
  );
  app.get(
    "/intake/backlog",
    { config: view, schema: { hide: true, response: { 200: wire.backlogAnswer } } },
    async () => ({ data: viewBacklog(await readBacklog(deps.db, BACKLOG_COUNTED_TO)) }),
  );
  app.get(
    "/intake/connections",
    { config: view, schema: { hide: true, response: { 200: wire.connectionsAnswer } } },
    () => ({
      data: viewConnections(deps.config),
    }),
  );
  app.get(
    "/intake/receipts/:uid",
    { config: view, schema: { hide: true, params: wire.receiptParams, response: { 200: wire.receiptAnswer } } },
    async ({ params, staff }) => {
      const receipt = await selectOneReceipt(deps.db, params.uid);
      if (receipt === undefined) throw new Problem("not_found");
      return { data: viewOneReceipt(receipt, can(staff.role, "intake.reprocess")) };
    },
  );
  reprocessRoutes(app, deps);
}

function reprocessRoutes(app: App, deps: Deps): void {
  app.post(
    "/intake/receipts/:uid/reprocess",
    {
      config: reprocess,
      schema: {
        hide: true,
        params: wire.receiptParams,
        body: wire.reprocessBody,
        response: { 200: wire.reprocessAnswer },
      },
    },
    async ({ params }) => {
      const state = await deps.db.tx(async (tx) => {
        const becomes = await reprocessReceipt(tx, deps, params.uid);
        const subject = { kind: "receipt", id: params.uid };
        await recordAction(tx, deps, { action: "receipt.reprocessed", subject, after: { state: becomes } });
        return becomes;
      });
      return { data: { uid: params.uid, state } };
    },
  );
  app.post(
    "/intake/reprocess",
    {
      config: reprocess,
      schema: { hide: true, body: wire.reprocessAllBody, response: { 200: wire.reprocessAllAnswer } },
    },
    async ({ body }) => ({ data: await reprocessReceipts(deps, body) }),
  );
}
