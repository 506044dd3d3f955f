import { type Paging, parsePaging } from "../../http/paging.ts";
import type { AllotmentType } from "../../ledger/allotment-types.ts";
import type { Fault } from "../../problems.ts";
import { LAST_INSTANT, parseInstant } from "../../time/store-time.ts";

/** The filters of a list of allotments (interface.md 4.1 and 4.3). The times are exclusive. */
export interface AllotmentFilters {
  readonly type: AllotmentType | null;
  readonly before: Temporal.Instant | null;
  readonly after: Temporal.Instant | null;
  readonly paging: Paging;
}

export type AllotmentQuery = Parameters<typeof parsePaging>[0] & {
  readonly type?: AllotmentType | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
};

/** Parses the filters of a query; returns the faults of times that cannot be parsed. A plain date means that day in the store's zone. */
export function parseFilters(
  query: AllotmentQuery,
  timeZone: string,
): AllotmentFilters | { readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const time = (name: "before" | "after", edge: "start" | "end"): Temporal.Instant | null => {
    const text = query[name];
    if (text === undefined) return null;
    const instant = parseInstant(text, { timeZone, edge });
    if (instant === null) faults.push({ parameter: name, detail: "expected an ISO 8601 date-time or date" });
    return instant;
  };
  const before = beforeFraction(query.before, time("before", "start"));
  const after = afterDate(query.after, time("after", "end"));
  return faults.length > 0 ? { faults } : { type: query.type ?? null, before, after, paging: parsePaging(query) };
}

/** After a plain date means after its last microsecond, so that the next day's first instant is included. */
function afterDate(text: string | undefined, instant: Temporal.Instant | null): Temporal.Instant | null {
  const isDate = text !== undefined && /^[\d-]+$/.test(text);
  return instant !== null && isDate ? instant.subtract({ microseconds: 1 }) : instant;
}

/** Before a moment between two microseconds means before the later one, so that the earlier one is included. Parsing drops the rest of the fraction. */
function beforeFraction(text: string | undefined, instant: Temporal.Instant | null): Temporal.Instant | null {
  const isBetween = text !== undefined && /[.,][0-9]{6}[0-9]*[1-9]/.test(text);
  if (instant === null || !isBetween) return instant;
  const next = instant.add({ microseconds: 1 });
  return Temporal.Instant.compare(next, LAST_INSTANT) > 0 ? instant : next;
}
