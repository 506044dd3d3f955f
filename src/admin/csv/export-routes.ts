import { Readable } from "node:stream";
import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import { signExport } from "../../exports/export-signature.ts";
import { openExportFile } from "../../exports/open-export-file.ts";
import { requestExport } from "../../exports/request-export.ts";
import type { App } from "../../http/app-type.ts";
import { listExports } from "./list-exports.ts";
import { exportsAnswer, importParams, importsQuery, statementBody } from "./schema.ts";

/** Statements: asking for one, those that were asked for, and their files. */
export function exportAdminRoutes(app: App, deps: Deps): void {
  app.get(
    "/exports",
    {
      config: { permission: "view" },
      schema: { hide: true, querystring: importsQuery, response: { 200: exportsAnswer } },
    },
    (request) => listExports(deps, request.query.after),
  );
  app.post(
    "/exports",
    {
      config: { permission: "exports.request" },
      schema: { hide: true, body: statementBody, response: { 202: exportsAnswer } },
    },
    async ({ body, staff }, reply) => {
      const request = { startDatetime: body.start_date, endDatetime: body.end_date, requestedBy: staff.name };
      await deps.db.tx(async (tx) => {
        const { uid } = await requestExport(tx, deps, request);
        const subject = { kind: "export", id: uid };
        await recordAction(tx, deps, { action: "export.requested", subject, after: body });
      });
      return reply.status(202).send(await listExports(deps, undefined));
    },
  );
  app.get(
    "/exports/:uid/file",
    { config: { permission: "exports.request" }, schema: { hide: true, params: importParams } },
    async ({ params: { uid } }, reply) => {
      const signed = signExport(deps.secretBox, uid, deps.clock.now());
      const file = await openExportFile(deps, { uid, ...signed });
      await recordAction(deps.db, deps, { action: "export.downloaded", subject: { kind: "export", id: uid } });
      return reply
        .header("content-type", "text/csv; charset=utf-8")
        .header("content-length", String(file.byteCount))
        .header("content-disposition", `attachment; filename="${file.name}"`)
        .header("cache-control", "private, no-store")
        .send(Readable.from(file.pieces, { objectMode: false }));
    },
  );
}
