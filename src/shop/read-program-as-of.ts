import type { Queryable } from "../db/pool.ts";
import type { Program } from "./program.ts";
import { knownNewest, rememberProgram } from "./program-cache.ts";
import { selectProgramAsOf } from "./program-queries.ts";

/**
 * The program that was valid at an instant: what an order processed then earns by (program.md 4, snapshot). Before the first
 * version it is the first.
 */
export async function readProgramAsOf(queryable: Queryable, instant: Temporal.Instant): Promise<Program> {
  const known = knownNewest();
  return rememberProgram(await selectProgramAsOf(queryable, instant, known?.uid ?? null), known).program;
}
