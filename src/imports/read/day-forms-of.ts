import type { DayForm } from "../../wire/day-forms.ts";
import { plainForm } from "./plain-form.ts";

/** A day with or without its year, and with a time or without it. */
const SLASHED = /^(?<first>\d{1,2})[/.-](?<second>\d{1,2})(?:[/.-](?<year>\d{4})(?:[ T,].*)?)?$/;
const LEAP_YEAR = "2000";

/** Returns the forms without the year first in which a text is a day that exists: of 24/10/1990 only `day_first`. */
export function dayFormsOf(text: string): readonly DayForm[] {
  const { first, second, year = LEAP_YEAR } = SLASHED.exec(plainForm(text).trim())?.groups ?? {};
  if (first === undefined || second === undefined) return [];
  const isDay = (day: string, month: string) => isDate(Number(year), Number(month), Number(day));
  return [
    ...(isDay(first, second) ? (["day_first"] as const) : []),
    ...(isDay(second, first) ? (["month_first"] as const) : []),
  ];
}

function isDate(year: number, month: number, day: number): boolean {
  if (month < 1 || day < 1) return false;
  const date = Temporal.PlainDate.from({ year, month, day }, { overflow: "constrain" });
  return date.month === month && date.day === day;
}
