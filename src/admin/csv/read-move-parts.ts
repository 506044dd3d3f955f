import type { Queryable } from "../../db/pool.ts";
import type { CsvImport } from "../../imports/csv-import.ts";
import { selectMoveImports, selectUndoneMoveImports } from "../../imports/queries.ts";
import { moveUidOfUpload } from "../../moving-in/upload.ts";

/** Returns the imports that another app's file is split into. */
export async function readMoveParts(queryable: Queryable, row: CsvImport): Promise<readonly CsvImport[]> {
  if (row.options.vendor === null || row.contentSha256 === null) return [];
  const { startedAt: from, undoneAt: to } = row;
  return row.state === "undone" && from !== null && to !== null
    ? selectUndoneMoveImports(queryable, moveUidOfUpload(row), { from, to })
    : selectMoveImports(queryable, moveUidOfUpload(row));
}
