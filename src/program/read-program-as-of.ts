import type { Queryable } from "../db/pool.ts";
import type { Program } from "./program.ts";
import { knownNewest, rememberProgram } from "./program-cache.ts";
import { selectProgramAsOf } from "./program-queries.ts";

/**
 * Returns the program that was in force at an instant, as it was then: it determined what expired, was shown and was rewarded. Before the
 * first version it is the first one. A start in the past changes nothing about it: see `readProgramValidAt`.
 */
export async function readProgramAsOf(queryable: Queryable, instant: Temporal.Instant): Promise<Program> {
  const known = knownNewest();
  return rememberProgram(await selectProgramAsOf(queryable, instant, known?.uid ?? null), known).program;
}
