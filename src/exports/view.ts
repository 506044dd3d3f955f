import type { Static } from "typebox";
import { formatInstant } from "../time/store-time.ts";
import type { ExportRow } from "./export-row.ts";
import type { exportAcknowledgement, exportAnswer } from "./schema.ts";

/** Returns the acknowledgement of a request (program.md 2). */
export function acknowledgementView(row: ExportRow): Static<typeof exportAcknowledgement> {
  return {
    data: {
      uid: row.uid,
      status: row.state,
      start_datetime: formatInstant(row.startAt),
      end_datetime: formatInstant(row.endAt),
      requested_at: formatInstant(row.requestedAt),
    },
  };
}

/** Returns an export with its present state; `url`: a signed URL of its file. */
export function exportView(row: ExportRow, url: string): Static<typeof exportAnswer> {
  const counts = { row_count: numberOf(row.rowCount), byte_count: numberOf(row.byteCount) };
  const finishedAt = row.finishedAt === null ? null : formatInstant(row.finishedAt);
  return {
    data: {
      ...acknowledgementView(row).data,
      finished_at: finishedAt,
      ...counts,
      url: row.state === "ready" ? url : null,
    },
  };
}

function numberOf(count: bigint | null): number | null {
  return count === null ? null : Number(count);
}
