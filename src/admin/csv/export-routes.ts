import { Readable } from "node:stream";
import { recordAction } from "../../audit/record-action.ts";
import type { Queryable } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { type ExportRow, waitAfter } from "../../exports/export-row.ts";
import { signExport } from "../../exports/export-signature.ts";
import { openExportFile } from "../../exports/open-export-file.ts";
import { selectLastRequest } from "../../exports/queries.ts";
import { requestExport } from "../../exports/request-export.ts";
import type { App } from "../../http/app-type.ts";
import { withoutFaults } from "../../http/without-faults.ts";
import { formatInstant } from "../../time/store-time.ts";
import { pageOf, READ_ROWS, readAfter, uuidCursor } from "../list.ts";
import { type ExportsAnswer, exportsAnswer, type ListedExportRow, statementBody } from "./export-schema.ts";
import { importParams, importsQuery } from "./schema.ts";

/** An export and who requested it. `byteCount`: the size so far, while it is being made. */
interface ListedExport extends ExportRow {
  readonly requestedBy: string;
}

const SELECT_EXPORTS = `select e.uid,
  e.state,
  e.start_at as "startAt",
  e.end_at as "endAt",
  e.requested_at as "requestedAt",
  e.requested_by as "requestedBy",
  e.finished_at as "finishedAt",
  e.row_count as "rowCount",
  coalesce(e.byte_count, (
    select sum(length(p.bytes))
    from export_piece p
    where p.export_uid = e.uid
      and e.state = 'processing'), 0)::bigint as "byteCount",
  e.piece_count as "pieceCount"
from export e
where $1::uuid is null
  or (e.requested_at, e.uid) < (select b.requested_at, b.uid from export b where b.uid = $1)
order by e.requested_at desc, e.uid desc
limit $2`;

/** Routes of exports: requesting one, the list, and the files. */
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

/** Returns a page of exports, newest first, and when the next one may be requested (interface.md 8). Throws `invalid` for `after`. */
async function listExports(deps: Pick<Deps, "db" | "clock">, after: string | undefined): Promise<ExportsAnswer> {
  const { position } = withoutFaults(readAfter(after, uuidCursor));
  const now = deps.clock.now();
  const [found, lastAt] = await Promise.all([
    selectExports(deps.db, position, READ_ROWS),
    selectLastRequest(deps.db, now),
  ]);
  const { rows, next } = pageOf(found, ({ uid }) => uid);
  const waitS = waitAfter(lastAt, now);
  return {
    data: rows.map(viewExport),
    next,
    next_request_at: waitS === 0 ? null : formatInstant(now.add({ seconds: waitS })),
  };
}

function viewExport(row: ListedExport): ListedExportRow {
  return {
    uid: row.uid,
    state: row.state,
    start_at: formatInstant(row.startAt),
    end_at: formatInstant(row.endAt),
    requested_at: formatInstant(row.requestedAt),
    requested_by: row.requestedBy,
    finished_at: row.finishedAt === null ? null : formatInstant(row.finishedAt),
    row_count: row.rowCount === null ? null : Number(row.rowCount),
    byte_count: Number(row.byteCount ?? 0n),
  };
}

/** Returns exports, newest first, that come after the export with a uid. */
function selectExports(queryable: Queryable, after: string | null, limit: number): Promise<ListedExport[]> {
  return queryable.query<ListedExport>(SELECT_EXPORTS, [after, limit]);
}
