import type { Queryable } from "../db/pool.ts";
import { readProgram } from "../program/read-program.ts";
import { dueAt, nextDay } from "./birthdays.ts";
import { nextBirthday } from "./next-birthday.ts";
import { readBirthdaysDoneOn } from "./reward-queries.ts";

/**
 * Returns when `rewardBirthdays` next has something to do: the start of the first store day that is not done and on which somebody has a
 * birthday. null: there is none.
 */
export async function nextBirthdayRunAt(queryable: Queryable): Promise<Temporal.Instant | null> {
  const { timeZone } = (await readProgram(queryable)).store;
  const doneOn = await readBirthdaysDoneOn(queryable, timeZone);
  const day = doneOn === null ? null : await nextBirthday(queryable, nextDay(doneOn));
  return day === null ? null : dueAt(day, timeZone);
}
