import type { Deps } from "../../deps.ts";
import { selectImports, selectTotals } from "../../imports/queries.ts";
import type { ImportsAnswer } from "./schema.ts";
import { viewImport } from "./view.ts";

const PAGE_ROWS = 50;

/** A page of imports, newest first. `after`: the uid of the last one of the page before. */
export async function listImports(deps: Pick<Deps, "db">, after: string | null): Promise<ImportsAnswer> {
  const rows = await selectImports(deps.db, after, PAGE_ROWS + 1);
  const shown = rows.slice(0, PAGE_ROWS);
  const uids = shown.map(({ uid }) => uid);
  const totals = await selectTotals(deps.db, uids);
  return {
    data: shown.map((row) => viewImport(row, totals.get(row.uid) ?? [])),
    next: rows.length > PAGE_ROWS ? (uids.at(-1) ?? null) : null,
  };
}
