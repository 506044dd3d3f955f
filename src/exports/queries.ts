import type { Queryable } from "../db/pool.ts";
import { readLatestNow } from "../db/read-latest-now.ts";
import { CLOCK_SLACK } from "../time/is-ahead.ts";
import type { ExportRow } from "./export-row.ts";

/** Held while an export is requested: of concurrent requests one is the first, and the others see it. */
export const LOCK_EXPORT_REQUESTS = "select pg_advisory_xact_lock(hashtextextended('pointkeeper export requests', 0))";

const COLUMNS = `e.uid,
  e.state,
  e.start_at as "startAt",
  e.end_at as "endAt",
  e.requested_at as "requestedAt",
  e.finished_at as "finishedAt",
  e.row_count as "rowCount",
  e.byte_count as "byteCount",
  e.piece_count as "pieceCount"`;

const SELECT_EXPORT = `select ${COLUMNS}
from export e
where e.uid = $1`;

const SELECT_LAST = `select e.requested_at as "requestedAt"
from export e
where e.state <> 'failed'
  and e.requested_at <= $1
order by e.requested_at desc
limit 1`;

const SELECT_PIECE = `select p.bytes
from export_piece p
where p.export_uid = $1
  and p.n = $2`;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the export with a uid; undefined for any other text. */
export async function selectExport(queryable: Queryable, uid: string): Promise<ExportRow | undefined> {
  if (!UUID.test(uid)) return undefined;
  const rows = await queryable.query<ExportRow>(SELECT_EXPORT, [uid]);
  return rows[0];
}

/** Returns when the last request was made that has not failed. One of a clock that was ahead does not count (decision 63). */
export async function selectLastRequest(queryable: Queryable, now: Temporal.Instant): Promise<Temporal.Instant | null> {
  const latest = await readLatestNow(queryable, now); // where only this node's clock is slow, the request counts
  const rows = await queryable.query<{ requestedAt: Temporal.Instant }>(SELECT_LAST, [latest.add(CLOCK_SLACK)]);
  return rows[0]?.requestedAt ?? null;
}

/** Returns one piece of an export's file, from 0. */
export async function selectExportPiece(
  queryable: Queryable,
  exportUid: string,
  n: number,
): Promise<Buffer | undefined> {
  const rows = await queryable.query<{ bytes: Buffer }>(SELECT_PIECE, [exportUid, n]);
  return rows[0]?.bytes;
}
