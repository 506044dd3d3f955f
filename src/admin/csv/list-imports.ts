import type { ReadDeps } from "../../deps.ts";
import { withoutFaults } from "../../http/without-faults.ts";
import { selectImports, selectTotals } from "../../imports/queries.ts";
import { PAGE_ROWS, pageOf, readAfter, uuidCursor } from "../list.ts";
import type { ImportsAnswer, ImportsQuery } from "./schema.ts";
import { viewImport } from "./view.ts";

/** Returns a page of imports, newest first. Throws `invalid` for an `after` of another list. */
export async function listImports(
  deps: Pick<ReadDeps, "db">,
  { q, after }: ImportsQuery,
  pageRows: number = PAGE_ROWS,
): Promise<ImportsAnswer> {
  const { position } = withoutFaults(readAfter(after, uuidCursor));
  const text = q === undefined || q.trim() === "" ? null : q.trim();
  const found = await selectImports(deps.db, { after: position, text, limit: pageRows + 1 });
  const { rows, next } = pageOf(found, ({ uid }) => uid, pageRows);
  const totals = await selectTotals(
    deps.db,
    rows.map(({ uid }) => uid),
  );
  return { data: rows.map((row) => viewImport(row, totals.get(row.uid) ?? [])), next };
}
