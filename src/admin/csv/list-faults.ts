import type { Deps } from "../../deps.ts";
import type { IssuePhase } from "../../imports/issue.ts";
import { FIRST_ISSUE, selectImport, selectIssues } from "../../imports/queries.ts";
import { readProgram } from "../../program/read-program.ts";
import type { Language } from "../../wire/language.ts";
import { pageOf, READ_ROWS } from "../list.ts";
import type { FaultsAnswer } from "./schema.ts";
import { viewFault } from "./view.ts";

export interface FaultsQuery {
  readonly phase: IssuePhase;
  readonly language: Language;
  /** A `next` of the list. */
  readonly after: string | undefined;
}

/** A page of what is wrong with an import's rows, in their order. Throws `import_not_found` (404). */
export async function listFaults(
  deps: Pick<Deps, "db">,
  uid: string,
  { phase, language, after }: FaultsQuery,
): Promise<FaultsAnswer> {
  const [{ uid: known }, program] = await Promise.all([selectImport(deps.db, uid), readProgram(deps.db)]);
  const [n = "0", code = ""] = after?.split("-") ?? [];
  const from = after === undefined ? FIRST_ISSUE : { n: Number(n), code };
  const faults = await selectIssues(deps.db, { uid: known, phase, after: from, limit: READ_ROWS });
  const { rows, next } = pageOf(faults, (last) => `${last.n}-${last.code}`);
  const context = { tiers: program.tiers.rules.map(({ name }) => name) };
  return { data: rows.map((fault) => viewFault(fault, language, context)), next };
}
