import { localDate, startOfDate } from "../time/store-time.ts";

/** Days of a store and the instants at which they begin, both ascending. */
export interface StoreDays {
  readonly days: readonly string[];
  readonly starts: readonly Temporal.Instant[];
}

/** All days of a store from the day of the first instant to that of the last. */
export function storeDays(first: Temporal.Instant, last: Temporal.Instant, timeZone: string): StoreDays {
  const days = datesBetween(localDate(first, timeZone), localDate(last, timeZone));
  return { days, starts: days.map((day) => startOfDate(day, timeZone)) };
}

/** All dates (`YYYY-MM-DD`) from one to another, both inclusive; none where `to` is before `from`. */
export function datesBetween(from: string, to: string): string[] {
  const days: string[] = [];
  const last = Temporal.PlainDate.from(to);
  for (
    let day = Temporal.PlainDate.from(from);
    Temporal.PlainDate.compare(day, last) <= 0;
    day = day.add({ days: 1 })
  ) {
    days.push(day.toString());
  }
  return days;
}
