import type { Queryable } from "../db/pool.ts";
import type { Program } from "./program.ts";
import { knownNewest, rememberNewest } from "./program-cache.ts";
import { selectNewestProgram } from "./program-queries.ts";

/** Returns the present program: its newest version (program.md 9). One small statement; the document is sent once per process. */
export async function readProgram(queryable: Queryable): Promise<Program> {
  const known = knownNewest();
  return rememberNewest(await selectNewestProgram(queryable, known?.uid ?? null), known).program;
}
