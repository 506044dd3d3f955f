import type { Deps } from "../../deps.ts";
import { selectImports, selectTotals } from "../../imports/queries.ts";
import { Problem } from "../../problems.ts";
import { pageOf, READ_ROWS, readAfter, uuidCursor } from "../list.ts";
import type { ImportsAnswer } from "./schema.ts";
import { viewImport } from "./view.ts";

/** A page of imports, newest first. Throws `invalid` on `after`. */
export async function listImports(deps: Pick<Deps, "db">, after: string | undefined): Promise<ImportsAnswer> {
  const { position, faults } = readAfter(after, uuidCursor);
  if (faults.length > 0) throw new Problem("invalid", { faults });
  const { rows, next } = pageOf(await selectImports(deps.db, position, READ_ROWS), ({ uid }) => uid);
  const totals = await selectTotals(
    deps.db,
    rows.map(({ uid }) => uid),
  );
  return { data: rows.map((row) => viewImport(row, totals.get(row.uid) ?? [])), next };
}
