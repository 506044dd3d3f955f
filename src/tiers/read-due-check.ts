import type { Queryable } from "../db/pool.ts";
import { selectProgramStart, selectVersionStarts } from "../program/program-queries.ts";
import { readProgramVersion } from "../program/read-program-version.ts";
import { type DueCheck, firstCheckAfter, type ProgramSpan, versionsFrom } from "./check-schedule.ts";
import { selectLastCheckAt } from "./evaluation-queries.ts";

/** Returns the check after the last one that was begun, in the future or missed; null: there is no program yet. */
export async function readDueCheck(queryable: Queryable): Promise<DueCheck | null> {
  const after = (await selectLastCheckAt(queryable)) ?? (await selectProgramStart(queryable));
  if (after === null) return null;
  const spans: ProgramSpan[] = [];
  for (const { version, validFrom } of versionsFrom(await selectVersionStarts(queryable), after)) {
    spans.push({ program: await readProgramVersion(queryable, version), validFrom });
  }
  return firstCheckAfter(after, spans);
}
