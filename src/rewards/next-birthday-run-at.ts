import type { Queryable } from "../db/pool.ts";
import { readProgram } from "../program/read-program.ts";
import { dueAt, nextDay } from "./birthdays.ts";
import { nextCelebration } from "./next-celebration.ts";
import { readBirthdaysDoneOn } from "./reward-queries.ts";

/**
 * When `rewardBirthdays` next has something to do: the start of the first day of the store that is not done and is somebody's
 * birthday. Null: there is none.
 */
export async function nextBirthdayRunAt(queryable: Queryable): Promise<Temporal.Instant | null> {
  const { timeZone } = (await readProgram(queryable)).store;
  const doneOn = await readBirthdaysDoneOn(queryable, timeZone);
  const day = doneOn === null ? null : await nextCelebration(queryable, nextDay(doneOn));
  return day === null ? null : dueAt(day, timeZone);
}
