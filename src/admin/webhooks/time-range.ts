import type { Fault } from "../../problems.ts";
import { parseInstant } from "../../time/store-time.ts";
import { type RangeForm, readRange } from "../list.ts";

const SINCE_UNTIL: RangeForm<"since" | "until"> = {
  names: ["since", "until"],
  parse: parseInstant,
  detail: "expected a date such as 2026-03-01, or an ISO 8601 date-time",
};

/** Parses the range of two query fields: a plain date means that complete day of the store; anything else must be an ISO 8601 date-time, in UTC if it has no zone. */
export function parseTimeRange(
  query: { readonly since?: string; readonly until?: string },
  timeZone: string,
):
  | { readonly since: Temporal.Instant | null; readonly until: Temporal.Instant | null }
  | { readonly faults: readonly Fault[] } {
  const { from: since, to: until, faults } = readRange(query, timeZone, SINCE_UNTIL);
  return faults.length > 0 ? { faults } : { since, until };
}
