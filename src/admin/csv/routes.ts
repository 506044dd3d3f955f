import { Readable } from "node:stream";
import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { startCheck } from "../../imports/check/start-check.ts";
import { giveUpImport } from "../../imports/give-up-import.ts";
import { selectImport } from "../../imports/queries.ts";
import { beginImport } from "./begin-import.ts";
import { exportAdminRoutes } from "./export-routes.ts";
import { listFaults } from "./list-faults.ts";
import { listImports } from "./list-imports.ts";
import { readImport } from "./read-import.ts";
import { readUploadSample } from "./read-upload-sample.ts";
import {
  checkBody,
  faultFileQuery,
  faultsAnswer,
  faultsQuery,
  importAnswer,
  importParams,
  importsAnswer,
  importsQuery,
  sampleAnswer,
  sampleQuery,
} from "./schema.ts";
import { uploadAdminRoutes } from "./upload-routes.ts";
import { settingsOf } from "./view.ts";
import { writeFaultFile } from "./write-fault-file.ts";

const view = { permission: "view" } as const;
const run = { permission: "imports.run" } as const;
const answered = { hide: true, params: importParams, response: { 200: importAnswer } } as const;

/** Imports of points, tiers and customers from files, and exports of statements. */
export function csvAdminRoutes(app: App, deps: Deps): void {
  uploadAdminRoutes(app, deps);
  exportAdminRoutes(app, deps);
  readRoutes(app, deps);
  faultRoutes(app, deps);
  const change = async (uid: string, person: { uid: string; name: string }, work: () => Promise<unknown>) => {
    await work();
    return readImport(deps, uid, person);
  };
  app.post("/imports/:uid/check", { config: run, schema: { ...answered, body: checkBody } }, (request) => {
    const { params, staff, body } = request;
    const input = { settings: settingsOf(body), by: staff };
    return change(params.uid, staff, () => deps.db.tx((tx) => startCheck(tx, deps, params.uid, input)));
  });
  app.post("/imports/:uid/start", { config: run, schema: answered }, ({ params, staff }) =>
    change(params.uid, staff, () =>
      deps.db.tx((tx) => beginImport(tx, deps, params.uid, { step: "import", by: staff })),
    ),
  );
  app.post("/imports/:uid/undo", { config: run, schema: answered }, ({ params, staff }) =>
    change(params.uid, staff, () =>
      deps.db.tx((tx) => beginImport(tx, deps, params.uid, { step: "import_undo", by: staff })),
    ),
  );
  app.post("/imports/:uid/give_up", { config: run, schema: answered }, ({ params, staff }) =>
    change(params.uid, staff, () => deps.db.tx((tx) => giveUpImport(tx, deps, params.uid))),
  );
}

function readRoutes(app: App, deps: Deps): void {
  app.get(
    "/imports",
    { config: view, schema: { hide: true, querystring: importsQuery, response: { 200: importsAnswer } } },
    (request) => listImports(deps, request.query.after),
  );
  app.get("/imports/:uid", { config: view, schema: answered }, ({ params, staff }) =>
    readImport(deps, params.uid, staff),
  );
  app.get(
    "/imports/:uid/sample",
    {
      config: run,
      schema: { hide: true, params: importParams, querystring: sampleQuery, response: { 200: sampleAnswer } },
    },
    (request) => readUploadSample(deps, request.params.uid, request.query),
  );
}

function faultRoutes(app: App, deps: Deps): void {
  app.get(
    "/imports/:uid/faults",
    {
      config: run,
      schema: { hide: true, params: importParams, querystring: faultsQuery, response: { 200: faultsAnswer } },
    },
    ({ params, query: { phase, language = "en", after } }) => listFaults(deps, params.uid, { phase, language, after }),
  );
  app.get(
    "/imports/:uid/faults.csv",
    { config: run, schema: { hide: true, params: importParams, querystring: faultFileQuery } },
    async ({ params, query: { phase, language = "en" } }, reply) => {
      const file = await selectImport(deps.db, params.uid);
      const subject = { kind: "import", id: file.uid };
      await recordAction(deps.db, deps, { action: "import.faults_downloaded", subject, after: { phase } });
      return reply
        .header("content-type", "text/csv; charset=utf-8")
        .header("content-disposition", `attachment; filename="${phase}-${file.uid}.csv"`)
        .header("cache-control", "private, no-store")
        .send(Readable.from(writeFaultFile(deps, file, { phase, language }), { objectMode: false }));
    },
  );
}
