import type { Fault } from "../../problems.ts";
import { startOfDate } from "../../time/store-time.ts";

export interface TimeRange {
  /** Included; null: no beginning. */
  readonly since: Temporal.Instant | null;
  /** Not included; null: no end. */
  readonly until: Temporal.Instant | null;
}

const DATE = /^\d{4}-\d\d-\d\d$/;

/** The range of two query members: a plain date is that day of the store, whole; anything else an ISO 8601 date-time. */
export function parseTimeRange(
  query: { readonly since?: string; readonly until?: string },
  timeZone: string,
): TimeRange | { readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const read = (parameter: "since" | "until", daysLater: number) => {
    const text = query[parameter];
    if (text === undefined) return null;
    try {
      if (!DATE.test(text)) return Temporal.Instant.from(text);
      return startOfDate(Temporal.PlainDate.from(text).add({ days: daysLater }).toString(), timeZone);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      faults.push({ parameter, detail: "expected a date such as 2026-03-01, or a date-time with its zone" });
      return null;
    }
  };
  const range = { since: read("since", 0), until: read("until", 1) };
  return faults.length > 0 ? { faults } : range;
}
