import { Readable } from "node:stream";
import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { startCheck } from "../../imports/check/start-check.ts";
import { giveUpImport } from "../../imports/give-up-import.ts";
import type { IssuePhase } from "../../imports/issue.ts";
import { issueContextOf } from "../../imports/issue-words.ts";
import { FIRST_ISSUE, selectImport, selectIssues } from "../../imports/queries.ts";
import { recogniseColumns } from "../../imports/read/columns.ts";
import { readSample } from "../../imports/read/read-sample.ts";
import { columnsOf } from "../../moving-in/member.ts";
import type { Vendor } from "../../moving-in/vendor.ts";
import { VENDORS } from "../../moving-in/vendors/index.ts";
import { readProgram } from "../../program/read-program.ts";
import type { Encoding, Separator } from "../../wire/import-fields.ts";
import type { Language } from "../../wire/language.ts";
import { pageOf, READ_ROWS } from "../list.ts";
import { beginImport } from "./begin-import.ts";
import { exportAdminRoutes } from "./export-routes.ts";
import { attachmentOf, faultFileName } from "./fault-file-name.ts";
import { listImports } from "./list-imports.ts";
import { readImport } from "./read-import.ts";
import {
  checkBody,
  type FaultsAnswer,
  faultFileQuery,
  faultsAnswer,
  faultsQuery,
  type ImportVendor,
  importAnswer,
  importParams,
  importsAnswer,
  importsQuery,
  type SampleAnswer,
  sampleAnswer,
  sampleQuery,
} from "./schema.ts";
import { uploadAdminRoutes } from "./upload-routes.ts";
import { settingsOf, viewFault } from "./view.ts";
import { writeFaultFile } from "./write-fault-file.ts";

const view = { permission: "view" } as const;
const run = { permission: "imports.run" } as const;
const answered = { hide: true, params: importParams, response: { 200: importAnswer } } as const;

interface FaultsQuery {
  readonly phase: IssuePhase;
  readonly language: Language;
  /** A `next` of the list. */
  readonly after: string | undefined;
}

const SAMPLE_ROWS = 6;

/** Routes of imports of points, tiers and customers, and of exports. */
export function csvAdminRoutes(app: App, deps: Deps): void {
  uploadAdminRoutes(app, deps);
  exportAdminRoutes(app, deps);
  readRoutes(app, deps);
  faultRoutes(app, deps);
  const change = async (uid: string, person: { uid: string; name: string }, work: () => Promise<unknown>) => {
    await work();
    return readImport(deps, uid, person);
  };
  app.post("/imports/:uid/check", { config: run, schema: { ...answered, body: checkBody } }, async (request) => {
    const { params, staff, body } = request;
    const { store } = await readProgram(deps.db);
    const input = { settings: settingsOf(body, store.timeZone), by: staff };
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
    (request) => listImports(deps, request.query),
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
      const [file, { store }] = await Promise.all([selectImport(deps.db, params.uid), readProgram(deps.db)]);
      const subject = { kind: "import", id: file.uid };
      await recordAction(deps.db, deps, { action: "import.faults_downloaded", subject, after: { phase } });
      return reply
        .header("content-type", "text/csv; charset=utf-8")
        .header("content-disposition", attachmentOf(faultFileName(file, { phase, language }, store.timeZone)))
        .header("cache-control", "private, no-store")
        .send(Readable.from(writeFaultFile(deps, file, { phase, language }), { objectMode: false }));
    },
  );
}

/** Returns a page of the faults of an import's rows, in the order of the rows. Throws `import_not_found` (404). */
async function listFaults(
  deps: Pick<Deps, "db">,
  uid: string,
  { phase, language, after }: FaultsQuery,
): Promise<FaultsAnswer> {
  const [file, program] = await Promise.all([selectImport(deps.db, uid), readProgram(deps.db)]);
  const [n = "0", code = ""] = after?.split("-") ?? [];
  const from = after === undefined ? FIRST_ISSUE : { n: Number(n), code };
  const faults = await selectIssues(deps.db, { uid: file.uid, phase, after: from, limit: READ_ROWS });
  const { rows, next } = pageOf(faults, (last) => `${last.n}-${last.code}`);
  const context = issueContextOf(file, program.tiers.rules);
  return { data: rows.map((fault) => viewFault(fault, language, context)), next };
}

/**
 * Returns the first rows of an upload, parsed with its own or the requested settings, and the columns that the first row names. Throws
 * `import_not_found`.
 */
async function readUploadSample(
  deps: Pick<Deps, "db">,
  uid: string,
  asked: { readonly encoding?: Encoding; readonly separator?: Separator },
): Promise<SampleAnswer> {
  const file = await selectImport(deps.db, uid);
  const rows = await readSample(deps.db, { ...file, ...asked }, SAMPLE_ROWS);
  const firstRow = rows[0] ?? [];
  const columns = recogniseColumns(file.kind, firstRow);
  const vendors = file.kind === "move" ? VENDORS.map((vendor) => viewVendor(vendor, firstRow)) : [];
  return { data: { rows: rows.map((cells) => [...cells]), columns, vendors } };
}

function viewVendor(vendor: Vendor, firstRow: readonly string[]): ImportVendor {
  const { name, title, leavesOut } = vendor;
  return { name, title, columns: columnsOf(vendor, firstRow), leaves_out: leavesOut.map((each) => ({ ...each })) };
}
