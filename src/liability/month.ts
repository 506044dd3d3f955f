import { startOfMonthIndex } from "../time/store-time.ts";

/** `2026-10` for the number of a month, which is year x 12 + month with January as 0. */
export function monthText(month: number): string {
  const year = Math.floor(month / 12);
  return `${String(year).padStart(4, "0")}-${String(month - year * 12 + 1).padStart(2, "0")}`;
}

/** A month in a request, `2026-10`. Its first instant and that of the next month are of the years 1 to 9999 in every time zone. */
export const MONTH_PATTERN = "^[1-8][0-9]{3}-(?:0[1-9]|1[0-2])$";

const MONTH = new RegExp(MONTH_PATTERN);

/** The number of a month that is written `2026-10`; null where the text is not a month. */
export function parseMonth(text: string): number | null {
  return MONTH.test(text) ? Number(text.slice(0, 4)) * 12 + Number(text.slice(5)) - 1 : null;
}

/** The last day of a month, `2026-10-31`. */
export function lastDayOf(month: number): string {
  return Temporal.PlainYearMonth.from(monthText(month)).toPlainDate({ day: 31 }).toString();
}

const FIRST_MONTH = 1970 * 12;

/** The months from 1970 to that of an instant, and the instants at which they begin; earlier instants count in the first month. */
export interface StoreMonths {
  readonly months: readonly number[];
  readonly starts: readonly Temporal.Instant[];
}

export function monthsUntil(last: number, timeZone: string): StoreMonths {
  const months = Array.from({ length: Math.max(1, last - FIRST_MONTH + 1) }, (_, n) => FIRST_MONTH + n);
  return { months, starts: months.map((month) => startOfMonthIndex(month, timeZone)) };
}
