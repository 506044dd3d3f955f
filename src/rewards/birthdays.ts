import { startOfDate } from "../time/store-time.ts";

/**
 * Returns the birthdays that a day (`YYYY-MM-DD`) celebrates, as `MM-DD`: its own, and 29 February on the 28th of a common year (program.md
 * 4, Rewards).
 */
export function birthdaysOf(day: string): readonly string[] {
  const date = Temporal.PlainDate.from(day);
  const monthDay = day.slice(-5);
  return monthDay === "02-28" && !date.inLeapYear ? [monthDay, "02-29"] : [monthDay];
}

/**
 * Whether a birthday may be rewarded on a day if the last one was rewarded on another: at least 12 months later, so that changing the date
 * gives no second reward (program.md 4). Customers born on 29 February wait no longer than others.
 */
export function mayRewardBirthday(day: string, lastOn: string | null): boolean {
  if (lastOn === null) return true;
  const earliest = Temporal.PlainDate.from(lastOn).add({ months: 12 });
  return Temporal.PlainDate.compare(Temporal.PlainDate.from(day), earliest) >= 0;
}

/** Returns the first day on or after `day` that celebrates a birthday, given as `MM-DD`. */
export function birthdayFrom(monthDay: string, day: string): string {
  const { year } = Temporal.PlainDate.from(day);
  const inYear = (of: number) => Temporal.PlainDate.from(`2000-${monthDay}`).with({ year: of }).toString();
  return inYear(year) >= day ? inYear(year) : inYear(year + 1);
}

/** Returns the day after a given one. */
export function nextDay(day: string): string {
  return Temporal.PlainDate.from(day).add({ days: 1 }).toString();
}

export function dayBefore(day: string): string {
  return Temporal.PlainDate.from(day).subtract({ days: 1 }).toString();
}

/** Returns when a day's birthdays are due: when the day starts in the store. */
export function dueAt(day: string, timeZone: string): Temporal.Instant {
  return startOfDate(day, timeZone);
}
