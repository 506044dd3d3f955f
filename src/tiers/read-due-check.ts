import type { Queryable } from "../db/pool.ts";
import { selectProgramStart, selectVersionStarts } from "../program/program-queries.ts";
import { readProgramVersion } from "../program/read-program-version.ts";
import { monthIndex } from "../time/store-time.ts";
import { type DueCheck, firstCheckAfter, type ProgramSpan, versionsFrom } from "./check-schedule.ts";
import { type EvaluationRow, selectLastCheck } from "./evaluation-queries.ts";

/** Returns the check after the last one that was begun, in the future or missed; null: there is no program yet. */
export async function readDueCheck(queryable: Queryable): Promise<DueCheck | null> {
  const last = await selectLastCheck(queryable);
  const after = last?.at ?? (await selectProgramStart(queryable));
  if (after === null) return null;
  const spans: ProgramSpan[] = [];
  for (const { version, validFrom } of versionsFrom(await selectVersionStarts(queryable), after)) {
    spans.push({ program: await readProgramVersion(queryable, version), validFrom });
  }
  const lastMonth = last === undefined ? null : await monthOf(queryable, last);
  return firstCheckAfter(after, spans, lastMonth);
}

/** Returns the month of a check, in the zone of the version that decided it. */
async function monthOf(
  queryable: Queryable,
  { at, programVersion }: Pick<EvaluationRow, "at" | "programVersion">,
): Promise<number> {
  return monthIndex(at, (await readProgramVersion(queryable, programVersion)).store.timeZone);
}
