import type { Queryable } from "../../db/pool.ts";
import type { ExportRow } from "../../exports/export-row.ts";

/** An export and who asked for it. `byteCount`: so far, while it is made. */
export interface ListedExport extends ExportRow {
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

/** Exports, newest first, behind the one of a uid. */
export function selectExports(queryable: Queryable, after: string | null, limit: number): Promise<ListedExport[]> {
  return queryable.query<ListedExport>(SELECT_EXPORTS, [after, limit]);
}
