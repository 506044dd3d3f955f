import { localDays } from "./zone-time.ts";

/** An entry of a calendar with a start and an end, shown as a bar. */
export interface Span {
  readonly startsAt: string;
  readonly endsAt: string;
}

/** The part of a span within one week. */
export interface Bar {
  /** The index of the span. */
  readonly index: number;
  /** Columns of the week, 0 to 6, both included. */
  readonly from: number;
  readonly to: number;
  /** The row of bars: spans that share a day are in different rows. */
  readonly lane: number;
  /** Whether the span begins, or ends, in this week. */
  readonly isStart: boolean;
  readonly isEnd: boolean;
}

export interface Week {
  /** `YYYY-MM-DD`, seven days from Monday. */
  readonly days: readonly string[];
  readonly bars: readonly Bar[];
  readonly lanes: number;
}

const DAY_MS = 86_400_000;

/** Returns the weeks of a month (`YYYY-MM`), each with its parts of the spans, in days of the store's zone. */
export function monthWeeks(month: string, spans: readonly Span[], timeZone: string): readonly Week[] {
  const dated = spans.map(({ startsAt, endsAt }, index) => ({ index, ...localDays(startsAt, endsAt, timeZone) }));
  const first = Date.parse(`${month}-01T00:00:00Z`);
  const weeks: Week[] = [];
  for (let monday = first - weekday(first) * DAY_MS; monday < monthEnd(month); monday += 7 * DAY_MS) {
    const days = Array.from({ length: 7 }, (_, day) => dayText(monday + day * DAY_MS));
    const bars = weekBars(days, dated);
    weeks.push({ days, bars, lanes: bars.reduce((most, { lane }) => Math.max(most, lane + 1), 0) });
  }
  return weeks;
}

/** Returns the month that is `count` months later. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return dayText(Date.UTC(year, number - 1 + count, 1)).slice(0, 7);
}

function weekBars(
  days: readonly string[],
  spans: readonly { readonly index: number; readonly first: string; readonly last: string }[],
): readonly Bar[] {
  const [monday = "", sunday = ""] = [days[0], days[6]];
  const lanesEnd: number[] = [];
  return spans
    .filter(({ first, last }) => first <= sunday && last >= monday && first <= last)
    .toSorted((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : a.index - b.index))
    .map(({ index, first, last }) => {
      const from = first < monday ? 0 : days.indexOf(first);
      const to = last > sunday ? 6 : days.indexOf(last);
      const free = lanesEnd.findIndex((end) => end < from);
      const lane = free === -1 ? lanesEnd.length : free;
      lanesEnd[lane] = to;
      return { index, from, to, lane, isStart: first >= monday, isEnd: last <= sunday };
    });
}

/** Monday is 0. */
function weekday(ms: number): number {
  return (new Date(ms).getUTCDay() + 6) % 7;
}

function monthEnd(month: string): number {
  return Date.parse(`${addMonths(month, 1)}-01T00:00:00Z`);
}

function dayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
