import type { Queryable } from "../../db/pool.ts";
import { showProgramDocument } from "../../program/program-document.ts";
import { completeProgramDocument } from "../../program/program-merge.ts";
import type { ProgramDocument } from "../../program/program-schema.ts";
import { selectVersions, type VersionRow } from "./queries.ts";

/** A version of the program and the one before it, both as they are shown. */
export interface ListedVersion extends VersionRow {
  /** Null: it is the first. */
  readonly before: ProgramDocument | null;
}

/** Returns at most `limit` versions from one downwards, newest first; null: from the newest. */
export async function listVersions(
  queryable: Queryable,
  from: number | null,
  limit: number,
): Promise<readonly ListedVersion[]> {
  const rows = await selectVersions(queryable, from, limit + 1);
  const shown = rows.map((row) => ({ ...row, document: showProgramDocument(completeProgramDocument(row.document)) }));
  return shown.slice(0, limit).map((row, index) => ({ ...row, before: shown[index + 1]?.document ?? null }));
}
