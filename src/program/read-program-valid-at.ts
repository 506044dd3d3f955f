import type { Queryable } from "../db/pool.ts";
import type { Program } from "./program.ts";
import { knownNewest, rememberProgram } from "./program-cache.ts";
import { selectProgramValidAt } from "./program-queries.ts";

/**
 * Returns the program by which an order processed at an instant earns (program.md 4, Snapshot): the version made last among those that have
 * started. The first one that a person applied applies to all earlier time, a later one from its start, which may be in the past.
 * `readProgramAsOf` returns what was in force at that time.
 */
export async function readProgramValidAt(queryable: Queryable, instant: Temporal.Instant): Promise<Program> {
  const known = knownNewest();
  return rememberProgram(await selectProgramValidAt(queryable, instant, known?.uid ?? null), known).program;
}
