import type { Queryable } from "../db/pool.ts";
import { selectFirstBirthday } from "./birthday-queries.ts";
import { birthdayFrom } from "./birthdays.ts";

/** Returns the first day on or after `day` (`YYYY-MM-DD`) on which any customer has a birthday; null: there is none. */
export async function nextBirthday(queryable: Queryable, day: string): Promise<string | null> {
  const [laterInYear, firstOfYear] = await Promise.all([
    selectFirstBirthday(queryable, day.slice(-5)),
    selectFirstBirthday(queryable, "01-01"),
  ]);
  const days = [laterInYear, firstOfYear].flatMap((found) => (found === undefined ? [] : birthdayFrom(found, day)));
  return days.sort()[0] ?? null;
}
