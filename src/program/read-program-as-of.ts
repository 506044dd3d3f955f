import type { Queryable } from "../db/pool.ts";
import type { Program } from "./program.ts";
import { knownNewest, rememberProgram } from "./program-cache.ts";
import { selectProgramAsOf } from "./program-queries.ts";

/**
 * The program that was in force at an instant, as it was then: by what expired, was shown and was rewarded. Before the first
 * version it is the first. A start in the past changes nothing of it: see `readProgramValidAt`.
 */
export async function readProgramAsOf(queryable: Queryable, instant: Temporal.Instant): Promise<Program> {
  const known = knownNewest();
  return rememberProgram(await selectProgramAsOf(queryable, instant, known?.uid ?? null), known).program;
}
