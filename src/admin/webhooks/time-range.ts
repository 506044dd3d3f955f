import type { Fault } from "../../problems.ts";
import { startOfDate } from "../../time/store-time.ts";
import { type RangeForm, readRange } from "../list.ts";

const SINCE_UNTIL: RangeForm<"since" | "until"> = {
  names: ["since", "until"],
  parse: parseDayOrInstant,
  detail: "expected a date such as 2026-03-01, or a date-time with its zone",
};

/** Parses the range of two query fields: a plain date means that complete day of the store; anything else must be an ISO 8601 date-time. */
export function parseTimeRange(
  query: { readonly since?: string; readonly until?: string },
  timeZone: string,
):
  | { readonly since: Temporal.Instant | null; readonly until: Temporal.Instant | null }
  | { readonly faults: readonly Fault[] } {
  const { from: since, to: until, faults } = readRange(query, timeZone, SINCE_UNTIL);
  return faults.length > 0 ? { faults } : { since, until };
}

function parseDayOrInstant(
  text: string,
  { timeZone, edge }: { readonly timeZone: string; readonly edge: "start" | "end" },
): Temporal.Instant | null {
  try {
    if (!/^\d{4}-\d\d-\d\d$/.test(text)) return Temporal.Instant.from(text);
    const day = Temporal.PlainDate.from(text).add({ days: edge === "start" ? 0 : 1 });
    return startOfDate(day.toString(), timeZone);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
