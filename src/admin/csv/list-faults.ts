import type { Deps } from "../../deps.ts";
import type { IssuePhase } from "../../imports/issue.ts";
import type { IssueLanguage } from "../../imports/issue-words.ts";
import { FIRST_ISSUE, selectImport, selectIssues } from "../../imports/queries.ts";
import { readProgram } from "../../program/read-program.ts";
import type { FaultsAnswer } from "./schema.ts";
import { viewFault } from "./view.ts";

const PAGE_ROWS = 50;

export interface FaultsWanted {
  readonly phase: IssuePhase;
  readonly language: IssueLanguage;
  /** A `next` of the list. */
  readonly after: string | undefined;
}

/** A page of what is wrong with an import's rows, in their order. Throws `import_not_found` (404). */
export async function listFaults(
  deps: Pick<Deps, "db">,
  uid: string,
  { phase, language, after }: FaultsWanted,
): Promise<FaultsAnswer> {
  const [{ uid: known }, program] = await Promise.all([selectImport(deps.db, uid), readProgram(deps.db)]);
  const [n = "0", code = ""] = after?.split("-") ?? [];
  const from = after === undefined ? FIRST_ISSUE : { n: Number(n), code };
  const faults = await selectIssues(deps.db, { uid: known, phase, after: from, limit: PAGE_ROWS + 1 });
  const shown = faults.slice(0, PAGE_ROWS);
  const last = shown.at(-1);
  const context = { tiers: program.tiers.rules.map(({ name }) => name) };
  return {
    data: shown.map((fault) => viewFault(fault, language, context)),
    next: faults.length > PAGE_ROWS && last !== undefined ? `${last.n}-${last.code}` : null,
  };
}
