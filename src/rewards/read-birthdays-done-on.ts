import type { Queryable } from "../db/pool.ts";
import { selectProgramStart } from "../program/program-queries.ts";
import { localDate } from "../time/store-time.ts";
import { selectBirthdayRun } from "./birthday-queries.ts";

/** The last day of the store whose birthdays are done: at first the day on which the store began. Null: there is no program. */
export async function readBirthdaysDoneOn(queryable: Queryable, timeZone: string): Promise<string | null> {
  const run = await selectBirthdayRun(queryable);
  if (run !== undefined) return run.doneOn;
  const startedAt = await selectProgramStart(queryable);
  return startedAt === null ? null : localDate(startedAt, timeZone);
}
