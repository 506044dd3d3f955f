import { startOfMonthIndex } from "../time/store-time.ts";

/** `2026-10` for the number of a month, which is year x 12 + month with January as 0. */
export function monthText(month: number): string {
  const year = Math.floor(month / 12);
  return `${String(year).padStart(4, "0")}-${String(month - year * 12 + 1).padStart(2, "0")}`;
}

/** The number of a month that is written `2026-10`; null where the text is not a month. */
export function parseMonth(text: string): number | null {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  return year === undefined || month === undefined ? null : Number(year) * 12 + Number(month) - 1;
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
