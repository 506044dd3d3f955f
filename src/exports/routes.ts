import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { runIdempotent } from "../http/idempotency/run-idempotent.ts";
import { Problem } from "../problems.ts";
import { exportUrl } from "./export-url.ts";
import { selectExport } from "./queries.ts";
import { requestExport } from "./request-export.ts";
import { exportAcknowledgement, exportAnswer, exportBody, exportParams } from "./schema.ts";
import { acknowledgementView, exportView } from "./view.ts";

/** Registers requests for statements (interface.md 4.8) and their state (an addition of this service). */
export function exportRoutes(app: App, deps: Deps): void {
  for (const balances of ["point_balances", "point_balance"]) {
    app.post(
      `/${balances}/export`,
      {
        config: { scope: "write" },
        schema: {
          summary: "Request a CSV export of balances",
          description: "Once every 8 hours. The file's address comes by webhook, topic `point_balances/export`.",
          tags: ["Exports"],
          body: exportBody,
          response: { 202: exportAcknowledgement },
          hide: balances !== "point_balances",
        },
      },
      async (request, reply) => {
        const { start_datetime: startDatetime, end_datetime: endDatetime } = request.body;
        const requestedBy = request.credential.name;
        await runIdempotent(deps, request, reply, async (tx) => {
          const row = await requestExport(tx, deps, { startDatetime, endDatetime, requestedBy });
          return { status: 202, body: acknowledgementView(row) };
        });
      },
    );

    app.get(
      `/${balances}/export/:uid`,
      {
        config: { scope: "read" },
        schema: {
          summary: "Read an export",
          tags: ["Exports"],
          params: exportParams,
          response: { 200: exportAnswer },
          hide: balances !== "point_balances",
        },
      },
      async (request) => {
        const row = await selectExport(deps.db, request.params.uid);
        if (row === undefined) throw new Problem("export_not_found");
        return exportView(row, exportUrl(deps, row.uid));
      },
    );
  }
}
