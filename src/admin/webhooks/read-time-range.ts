import type { Queryable } from "../../db/pool.ts";
import { Problem } from "../../problems.ts";
import { readProgram } from "../../program/read-program.ts";
import { parseTimeRange } from "./time-range.ts";

/** Returns the time range of a query, whose plain dates are days of the store. Throws `invalid` with every fault. */
export async function readTimeRange(
  db: Queryable,
  query: Parameters<typeof parseTimeRange>[0],
): Promise<{ readonly since: Temporal.Instant | null; readonly until: Temporal.Instant | null }> {
  const { store } = await readProgram(db);
  const range = parseTimeRange(query, store.timeZone);
  if ("faults" in range) throw new Problem("invalid", range);
  return range;
}
