import type { Fault } from "../../problems.ts";
import type { PeriodPreset } from "../../wire/period-presets.ts";

/**
 * A range of days of the store, both ends included, and the range that it is compared with: the same number of days before it, or the one of a
 * preset.
 */
export interface Period {
  readonly from: string;
  readonly to: string;
  readonly before: { readonly from: string; readonly to: string };
}

const DAYS_MAX = 1_100;
const DEFAULT_DAYS = 30;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Returns the period of a request, or all its faults. Without a first day it has `days` days (30 when absent) up to the last one, which is `today`
 * when absent.
 */
export function readPeriod(
  given: {
    readonly from?: string | undefined;
    readonly to?: string | undefined;
    readonly days?: number | undefined;
    readonly preset?: PeriodPreset | undefined;
  },
  today: string,
): Period | { readonly faults: readonly Fault[] } {
  if (given.preset !== undefined) return presetPeriod(given.preset, Temporal.PlainDate.from(today));
  const to = parseDay(given.to ?? today);
  const from =
    given.from === undefined ? to?.subtract({ days: (given.days ?? DEFAULT_DAYS) - 1 }) : parseDay(given.from);
  const faults = [
    ...(from == null && given.from !== undefined ? [fault("from", "expected a day, such as 2026-03-01")] : []),
    ...(to === null ? [fault("to", "expected a day, such as 2026-03-31")] : []),
  ];
  if (from == null || to === null) return { faults };
  const days = from.until(to, { largestUnit: "days" }).days + 1;
  if (days < 1) return { faults: [fault("to", `expected a day at or after ${from}`)] };
  if (days > DAYS_MAX) return { faults: [fault("from", `expected at most ${DAYS_MAX} days up to ${to}`)] };
  return {
    from: from.toString(),
    to: to.toString(),
    before: { from: from.subtract({ days }).toString(), to: from.subtract({ days: 1 }).toString() },
  };
}

const QUARTER_MONTHS = 3;

/** Returns last month and the month before it, or this quarter so far and as many days of the previous quarter. */
function presetPeriod(preset: PeriodPreset, today: Temporal.PlainDate): Period {
  const thisMonth = today.with({ day: 1 });
  if (preset === "last_month") {
    const from = thisMonth.subtract({ months: 1 });
    const before = { from: thisMonth.subtract({ months: 2 }), to: from.subtract({ days: 1 }) };
    return textsOf({ from, to: thisMonth.subtract({ days: 1 }), before });
  }
  const from = thisMonth.subtract({ months: (today.month - 1) % QUARTER_MONTHS });
  const start = from.subtract({ months: QUARTER_MONTHS });
  const sameDay = start.add(from.until(today, { largestUnit: "days" }));
  const end = from.subtract({ days: 1 });
  const to = Temporal.PlainDate.compare(sameDay, end) < 0 ? sameDay : end;
  return textsOf({ from, to: today, before: { from: start, to } });
}

interface Span {
  readonly from: Temporal.PlainDate;
  readonly to: Temporal.PlainDate;
}

function textsOf({ from, to, before }: Span & { readonly before: Span }): Period {
  const texts = (span: Span) => ({ from: span.from.toString(), to: span.to.toString() });
  return { ...texts({ from, to }), before: texts(before) };
}

/** Years before 1900 are not days: the days before them may be before the first that a database has. */
function parseDay(text: string): Temporal.PlainDate | null {
  if (!DATE.test(text) || text < "1900") return null;
  try {
    return Temporal.PlainDate.from(text, { overflow: "reject" });
  } catch {
    return null;
  }
}

function fault(parameter: string, detail: string): Fault {
  return { parameter, detail };
}
