import type { Queryable } from "../db/pool.ts";
import type { Report } from "./report.ts";
import { selectReportPiece } from "./report-queries.ts";

/** Returns the bytes of a report's file, read piece by piece as they are consumed. */
export async function* readReportPieces(
  queryable: Queryable,
  report: Pick<Report, "uid" | "attemptUid">,
): AsyncGenerator<Buffer> {
  for (let n = 0; ; n++) {
    const bytes = await selectReportPiece(queryable, report, n);
    if (bytes === undefined) return;
    yield bytes;
  }
}
