import type { Deps } from "../../deps.ts";
import type { CsvImport } from "../../imports/csv-import.ts";
import { selectMoveImports, selectMoveImportsOfTime } from "../../imports/queries.ts";
import { moveUidOfUpload } from "../../moving-in/upload.ts";

/** Returns the imports that another app's file is split into, with those that were undone since its start. */
export async function readMoveParts(deps: Pick<Deps, "db" | "clock">, row: CsvImport): Promise<readonly CsvImport[]> {
  if (row.options.vendor === null || row.contentSha256 === null) return [];
  const { startedAt: from, undoneAt } = row;
  const uid = moveUidOfUpload(row);
  return from === null
    ? selectMoveImports(deps.db, uid)
    : selectMoveImportsOfTime(deps.db, uid, { from, to: undoneAt ?? deps.clock.now() });
}
