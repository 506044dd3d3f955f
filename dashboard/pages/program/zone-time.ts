const MINUTE_MS = 60_000;

/** Returns the wall-clock time of an instant in a zone, in the format of a `datetime-local` field: `2026-07-01T09:30`. */
export function toLocal(at: string, timeZone: string): string {
  const ms = Date.parse(at);
  return new Date(ms + offsetMs(ms, timeZone)).toISOString().slice(0, 16);
}

/**
 * Returns the instant of a wall-clock time, to the minute in UTC. A time that a clock change skips is moved to after the change by the skipped
 * length; of an ambiguous time the first is taken. Null for invalid text.
 */
export function toInstant(local: string, timeZone: string): string | null {
  const wall = Date.parse(`${local}Z`);
  if (Number.isNaN(wall)) return null;
  const before = wall - offsetMs(wall - 24 * 60 * MINUTE_MS, timeZone);
  const after = wall - offsetMs(wall + 24 * 60 * MINUTE_MS, timeZone);
  const fits = (ms: number) => ms + offsetMs(ms, timeZone) === wall;
  const ms = fits(before) || !fits(after) ? before : after;
  return new Date(ms).toISOString();
}

/** Returns complete local days, `YYYY-MM-DD`, from the one that contains the start to the one that contains the last moment before the end. */
export function localDays(
  startsAt: string,
  endsAt: string,
  timeZone: string,
): { readonly first: string; readonly last: string } {
  const lastMoment = new Date(Date.parse(endsAt) - 1).toISOString();
  return { first: toLocal(startsAt, timeZone).slice(0, 10), last: toLocal(lastMoment, timeZone).slice(0, 10) };
}

const formats = new Map<string, Intl.DateTimeFormat>();

function offsetMs(ms: number, timeZone: string): number {
  const format = formats.get(timeZone) ?? formatOf(timeZone);
  formats.set(timeZone, format);
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const wall = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return wall - Math.floor(ms / 1000) * 1000;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const numeric = "numeric";
  const time = { hour: numeric, minute: numeric, second: numeric } as const;
  return new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: numeric,
    month: numeric,
    day: numeric,
    ...time,
  });
}
