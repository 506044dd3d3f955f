import { civilDate, dateText, dayNumber, daysInMonth, twoDigits } from "./civil-days.ts";
import { epochOfLocal, offsetAt } from "./zone-offset.ts";

/** How often due points expire (program.md 5). */
export type Sweep = "daily" | "monthly" | "yearly";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The local date of an instant, `YYYY-MM-DD`. */
export function localDate(instant: Temporal.Instant, timeZone: string): string {
  return dateText(civilDate(localDay(instant, timeZone)));
}

/** The first instant of a local date (`YYYY-MM-DD`). Throws RangeError if the text is not a date. */
export function startOfDate(date: string, timeZone: string): Temporal.Instant {
  const { year, month, day } = Temporal.PlainDate.from(date);
  return startOfLocalDay(dayNumber(year, month, day), timeZone);
}

/** The start of the store's day that contains an instant (program.md 1: midnight is the start of the day). */
export function startOfDay(instant: Temporal.Instant, timeZone: string): Temporal.Instant {
  return startOfLocalDay(localDay(instant, timeZone), timeZone);
}

/** The start of the store's month that contains an instant. */
export function startOfMonth(instant: Temporal.Instant, timeZone: string): Temporal.Instant {
  return startOfMonthIndex(monthIndex(instant, timeZone), timeZone);
}

/** The start of the store's year that contains an instant. */
export function startOfYear(instant: Temporal.Instant, timeZone: string): Temporal.Instant {
  return startOfMonthIndex(12 * Math.floor(monthIndex(instant, timeZone) / 12), timeZone);
}

/** The local month of an instant as one number: year x 12, January 0. */
export function monthIndex(instant: Temporal.Instant, timeZone: string): number {
  const { year, month } = civilDate(localDay(instant, timeZone));
  return year * 12 + month - 1;
}

/** Midnight on the 1st of a local month, given as a number of `monthIndex`. */
export function startOfMonthIndex(index: number, timeZone: string): Temporal.Instant {
  const year = Math.floor(index / 12);
  return startOfLocalDay(dayNumber(year, index - year * 12 + 1, 1), timeZone);
}

/** Adds months to the local date-time: clipped to the month's end, `compatible` across clock changes (program.md 1). */
export function addMonths(instant: Temporal.Instant, months: number, timeZone: string): Temporal.Instant {
  const epochMs = instant.epochMilliseconds;
  const localMs = epochMs + offsetAt(timeZone, epochMs);
  const fromDay = Math.floor(localMs / DAY_MS);
  const { year, month, day } = civilDate(fromDay);
  const index = year * 12 + month - 1 + months;
  const toYear = Math.floor(index / 12);
  const toMonth = index - toYear * 12 + 1;
  const toDay = dayNumber(toYear, toMonth, Math.min(day, daysInMonth(toYear, toMonth)));
  const toMs = epochOfLocal(timeZone, localMs + (toDay - fromDay) * DAY_MS);
  if (toMs === undefined) return instant.toZonedDateTimeISO(timeZone).add({ months }).toInstant();
  return shifted(instant, toMs - epochMs);
}

/** Adds days to the local date-time, `compatible` across clock changes (program.md 1). */
export function addDays(instant: Temporal.Instant, days: number, timeZone: string): Temporal.Instant {
  const epochMs = instant.epochMilliseconds;
  const toMs = epochOfLocal(timeZone, epochMs + offsetAt(timeZone, epochMs) + days * DAY_MS);
  if (toMs === undefined) return instant.toZonedDateTimeISO(timeZone).add({ days }).toInstant();
  return shifted(instant, toMs - epochMs);
}

/** The first sweep at or after an instant: the start of a day, month or year of the store (program.md 5). */
export function sweepAtOrAfter(instant: Temporal.Instant, sweep: Sweep, timeZone: string): Temporal.Instant {
  const before = sweepAtOrBefore(instant, sweep, timeZone);
  if (before.epochNanoseconds === instant.epochNanoseconds) return before;
  if (sweep === "daily") return startOfLocalDay(localDay(instant, timeZone) + 1, timeZone);
  return startOfMonthIndex(monthIndex(before, timeZone) + (sweep === "monthly" ? 1 : 12), timeZone);
}

/** The last sweep at or before an instant: points with an expiry at or before it have expired (program.md 5). */
export function sweepAtOrBefore(instant: Temporal.Instant, sweep: Sweep, timeZone: string): Temporal.Instant {
  if (sweep === "daily") return startOfDay(instant, timeZone);
  return sweep === "monthly" ? startOfMonth(instant, timeZone) : startOfYear(instant, timeZone);
}

const DATE = /^\d{4}-?\d{2}-?\d{2}$/;
// A space is accepted for T, and for the + of an offset that a query string decoded. A fraction may have any length.
const DATE_TIME =
  /^(\d{4}-?\d{2}-?\d{2})[Tt ](\d{2}(?::?\d{2}(?::?\d{2})?)?)(?:[.,](\d+))?(?:([Zz])|([+\- ]\d{2}(?::?\d{2})?))?$/;

const FIRST = Temporal.Instant.from("0001-01-01T00:00:00Z");
/** The last time that a request can name. */
export const LAST_INSTANT = Temporal.Instant.from("9999-12-31T23:59:59.999999Z");

/**
 * Parses a time of a request (program.md 1): any ISO 8601 date-time of the years 1 to 9999, with or without zone (none means UTC), to the
 * microsecond. A plain date is a day in the store's zone: its first instant as a start, the first instant after it as an end. Returns null for any
 * other text.
 */
export function parseInstant(
  text: string,
  options: { readonly timeZone: string; readonly edge: "start" | "end" },
): Temporal.Instant | null {
  try {
    const instant = DATE.test(text) ? dateEdge(text, options) : parseDateTime(text);
    const isStorable =
      instant !== null &&
      Temporal.Instant.compare(instant, FIRST) >= 0 &&
      Temporal.Instant.compare(instant, LAST_INSTANT) <= 0;
    return isStorable ? instant : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function dateEdge(date: string, { timeZone, edge }: { timeZone: string; edge: "start" | "end" }): Temporal.Instant {
  const { year, month, day } = Temporal.PlainDate.from(date);
  return startOfLocalDay(dayNumber(year, month, edge === "start" ? day : day + 1), timeZone);
}

function parseDateTime(text: string): Temporal.Instant | null {
  const [, date, time, fraction = "", zulu, offset] = DATE_TIME.exec(text) ?? [];
  if (date === undefined || time === undefined) return null;
  if (fraction !== "" && time.replace(":", "").length < 6) return null; // a fraction of an hour or minute
  const isDayEnd = /^24(?::?00){0,2}$/.test(time) && !/[1-9]/.test(fraction);
  const local = `${date}T${isDayEnd ? time.replace("24", "00") : time}${fraction === "" ? "" : `.${fraction.slice(0, 6)}`}`;
  const offsetText = offset?.replace(" ", "+") ?? "Z";
  // Temporal expects date, time and offset all in the basic or all in the extended form, so each part is parsed separately.
  const plain = Temporal.PlainDateTime.from(local);
  const instant = Temporal.Instant.from(`${plain.toString()}${zulu === undefined ? offsetText : "Z"}`);
  return isDayEnd ? instant.add({ hours: 24 }) : instant;
}

/** `2026-03-01T09:30:00.123456Z`: every time of the interface except the two below (program.md 1). Nanoseconds are dropped. */
export function formatInstant(instant: Temporal.Instant): string {
  return `${formatLocal(instant, 0)}Z`;
}

/** `2026-03-01T09:30:00.123456`, UTC without a zone: `allotted_at` (program.md 1). */
export function formatAllottedAt(instant: Temporal.Instant): string {
  return formatLocal(instant, 0);
}

/** `2026-03-01T18:30:00.123456+09:00`: `point_expiration_date` (program.md 1). */
export function formatWithOffset(instant: Temporal.Instant, timeZone: string): string {
  // An offset with seconds (historical local mean time) is rounded to whole minutes, and the time is adjusted to it.
  const minutes = Math.round(offsetAt(timeZone, instant.epochMilliseconds) / MINUTE_MS);
  const size = Math.abs(minutes);
  const offset = `${minutes < 0 ? "-" : "+"}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
  return formatLocal(instant, minutes * MINUTE_MS) + offset;
}

function localDay(instant: Temporal.Instant, timeZone: string): number {
  const epochMs = instant.epochMilliseconds;
  return Math.floor((epochMs + offsetAt(timeZone, epochMs)) / DAY_MS);
}

function startOfLocalDay(day: number, timeZone: string): Temporal.Instant {
  const epochMs = epochOfLocal(timeZone, day * DAY_MS);
  if (epochMs !== undefined) return Temporal.Instant.fromEpochMilliseconds(epochMs);
  return Temporal.PlainDate.from(civilDate(day)).toZonedDateTime(timeZone).toInstant();
}

function shifted(instant: Temporal.Instant, byMs: number): Temporal.Instant {
  return Temporal.Instant.fromEpochNanoseconds(instant.epochNanoseconds + BigInt(byMs) * 1_000_000n);
}

function formatLocal(instant: Temporal.Instant, offsetMs: number): string {
  const epochMs = instant.epochMilliseconds;
  const micros = Math.floor(Number(instant.epochNanoseconds - BigInt(epochMs) * 1_000_000n) / 1_000);
  return formatMicros(epochMs + offsetMs, micros);
}

function formatMicros(localMs: number, micros: number): string {
  const day = Math.floor(localMs / DAY_MS);
  const ms = localMs - day * DAY_MS;
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  const time = `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
  const fraction = String((ms % 1_000) * 1_000 + micros).padStart(6, "0");
  return `${dateText(civilDate(day))}T${time}.${fraction}`;
}
