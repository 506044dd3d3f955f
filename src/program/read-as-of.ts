import type { Queryable } from "../db/pool.ts";
import { Problem } from "../problems.ts";
import { parseInstant } from "../time/store-time.ts";
import { readProgram } from "./read-program.ts";

/**
 * Returns the moment of `as_of`, `since` and similar parameters: any ISO 8601 date-time, or a date, which means that day's start in the
 * store's zone; null if the request names none. Throws `invalid` for another text and for a time in the future.
 */
export async function readAsOf(
  queryable: Queryable,
  {
    text,
    parameter,
    now,
  }: { readonly text: string | undefined; readonly parameter: string; readonly now: Temporal.Instant },
): Promise<Temporal.Instant | null> {
  if (text === undefined) return null;
  const { store } = await readProgram(queryable);
  const instant = parseInstant(text, { timeZone: store.timeZone, edge: "start" });
  const refuse = (detail: string) => new Problem("invalid", { faults: [{ parameter, detail }] });
  if (instant === null) throw refuse("expected an ISO 8601 date-time or date");
  if (Temporal.Instant.compare(instant, now) > 0) throw refuse("expected a time that is not in the future");
  return instant;
}
