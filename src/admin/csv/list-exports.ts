import type { Deps } from "../../deps.ts";
import { waitAfter } from "../../exports/export-row.ts";
import { selectLastRequest } from "../../exports/queries.ts";
import { Problem } from "../../problems.ts";
import { formatInstant } from "../../time/store-time.ts";
import { pageOf, READ_ROWS, readAfter, uuidCursor } from "../list.ts";
import { type ListedExport, selectExports } from "./export-queries.ts";
import type { ExportsAnswer, ListedExportRow } from "./schema.ts";

/** A page of exports, newest first, and when the next one may be asked for (interface.md 8). Throws `invalid` on `after`. */
export async function listExports(deps: Pick<Deps, "db" | "clock">, after: string | undefined): Promise<ExportsAnswer> {
  const { position, faults } = readAfter(after, uuidCursor);
  if (faults.length > 0) throw new Problem("invalid", { faults });
  const [found, lastAt] = await Promise.all([selectExports(deps.db, position, READ_ROWS), selectLastRequest(deps.db)]);
  const { rows, next } = pageOf(found, ({ uid }) => uid);
  const now = deps.clock.now();
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
