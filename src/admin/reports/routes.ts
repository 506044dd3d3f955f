import { Readable } from "node:stream";
import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { Problem } from "../../problems.ts";
import { changeReportSettings } from "../../reports/change-report-settings.ts";
import { readReportPieces } from "../../reports/read-report-pieces.ts";
import { selectReport, selectReportSettings, selectReports } from "../../reports/report-queries.ts";
import { reportFileParams, reportsAnswer, reportsBody } from "./schema.ts";
import { reportSettingsOf, reportsView } from "./view.ts";

const config = { permission: "reports.manage" } as const;
const SHOWN = 100;

/** `/reports`: which reports are made, and the latest ones with their files (docs/reports.md). */
export function reportsAdminRoutes(app: App, deps: Deps): void {
  app.get("/reports", { config, schema: { hide: true, response: { 200: reportsAnswer } } }, () => readShown(deps));

  app.put(
    "/reports",
    { config, schema: { hide: true, body: reportsBody, response: { 200: reportsAnswer } } },
    async ({ body }) => {
      await changeReportSettings(deps, reportSettingsOf(body), body);
      return await readShown(deps);
    },
  );

  app.get(
    "/reports/:uid/file.csv",
    { config, schema: { hide: true, params: reportFileParams } },
    async ({ params: { uid } }, reply) => {
      const report = await selectReport(deps.db, uid);
      if (report?.state !== "ready" || report.fileName === null) throw new Problem("not_found");
      await recordAction(deps.db, deps, { action: "report.downloaded", subject: { kind: "report", id: uid } });
      return reply
        .header("content-type", "text/csv; charset=utf-8")
        .header("content-disposition", `attachment; filename="${report.fileName}"`)
        .header("content-length", String(report.byteCount))
        .header("cache-control", "private, no-store")
        .send(Readable.from(readReportPieces(deps.db, report), { objectMode: false }));
    },
  );
}

async function readShown({ db, config: { mail, reportsDir } }: Deps) {
  const has = { hasMail: mail !== null, hasFolder: reportsDir !== undefined };
  return { data: reportsView(await selectReportSettings(db), await selectReports(db, SHOWN), has) };
}
