import type { Queryable } from "../db/pool.ts";
import type { Program } from "./program.ts";
import { knownNewest, rememberProgram } from "./program-cache.ts";
import { selectProgramValidAt } from "./program-queries.ts";

/**
 * The program that an order processed at an instant earns by (program.md 4, Snapshot): the version made last of those that hold
 * then. The first one that a person applied holds for all time before it, a later one from its start, which may lie in the past.
 * `readProgramAsOf` is about what was in force at that time, as it was then.
 */
export async function readProgramValidAt(queryable: Queryable, instant: Temporal.Instant): Promise<Program> {
  const known = knownNewest();
  return rememberProgram(await selectProgramValidAt(queryable, instant, known?.uid ?? null), known).program;
}
