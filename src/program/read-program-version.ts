import type { Queryable } from "../db/pool.ts";
import type { Program } from "./program.ts";
import { knownVersion, rememberProgram } from "./program-cache.ts";
import { selectProgramAt } from "./program-queries.ts";

/** Returns the program of a version that is stored with other data. Throws if there is no such version. */
export async function readProgramVersion(queryable: Queryable, version: number): Promise<Program> {
  const known = knownVersion(version);
  return rememberProgram(await selectProgramAt(queryable, version, known?.uid ?? null), known).program;
}
