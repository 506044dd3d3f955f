import type { Deps } from "../../deps.ts";
import { waitAfter } from "../../exports/export-row.ts";
import { selectLastRequest } from "../../exports/queries.ts";
import { formatInstant } from "../../time/store-time.ts";
import { type ListedExport, selectExports } from "./export-queries.ts";
import type { ExportRow, ExportsAnswer } from "./schema.ts";

const PAGE_ROWS = 50;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A page of exports, newest first, and when the next one may be asked for (interface.md 8). */
export async function listExports(deps: Pick<Deps, "db" | "clock">, after: string | null): Promise<ExportsAnswer> {
  const isUnknown = after !== null && !UUID.test(after);
  const [rows, lastAt] = await Promise.all([
    isUnknown ? [] : selectExports(deps.db, after, PAGE_ROWS + 1),
    selectLastRequest(deps.db),
  ]);
  const shown = rows.slice(0, PAGE_ROWS);
  const now = deps.clock.now();
  const waitS = waitAfter(lastAt, now);
  return {
    data: shown.map(viewExport),
    next: rows.length > PAGE_ROWS ? (shown.at(-1)?.uid ?? null) : null,
    next_request_at: waitS === 0 ? null : formatInstant(now.add({ seconds: waitS })),
  };
}

function viewExport(row: ListedExport): ExportRow {
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
