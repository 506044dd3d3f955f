import type { Fault } from "../../problems.ts";

/** Days of the store from one to another, both included, and as many before them. */
export interface Period {
  readonly from: string;
  readonly to: string;
  readonly before: { readonly from: string; readonly to: string };
}

export const DAYS_MAX = 1_100;
const DEFAULT_DAYS = 30;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The period of a request; without a first day so many (30 when absent) up to the last one, which is `today` when absent. Returns what is wrong with it instead, all at once. */
export function readPeriod(
  given: { readonly from?: string | undefined; readonly to?: string | undefined; readonly days?: number | undefined },
  today: string,
): Period | { readonly faults: readonly Fault[] } {
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

function parseDay(text: string): Temporal.PlainDate | null {
  if (!DATE.test(text)) return null;
  try {
    return Temporal.PlainDate.from(text, { overflow: "reject" });
  } catch {
    return null;
  }
}

function fault(parameter: string, detail: string): Fault {
  return { parameter, detail };
}
