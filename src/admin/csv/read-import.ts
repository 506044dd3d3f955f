import type { CsvImport, Person } from "../../csv/csv-import.ts";
import { selectImport, selectTotals } from "../../csv/queries.ts";
import type { Deps } from "../../deps.ts";
import { readProgram } from "../../shop/read-program.ts";
import type { ImportDetail } from "./schema.ts";
import { viewImportDetail } from "./view.ts";

/** An import with its counts, as a person sees it. Throws `import_not_found` (404). */
export async function readImport(deps: Pick<Deps, "db">, uid: string, person: Person): Promise<{ data: ImportDetail }> {
  const row: CsvImport = await selectImport(deps.db, uid);
  const [totals, program] = await Promise.all([selectTotals(deps.db, [row.uid]), readProgram(deps.db)]);
  const { approvalLimit } = program.staff;
  return { data: viewImportDetail(row, totals.get(row.uid) ?? [], { approvalLimit, person }) };
}
