import type { Queryable } from "../db/pool.ts";
import type { Program } from "./program.ts";
import { knownNewest, rememberNewest } from "./program-cache.ts";
import { selectNewestProgram } from "./program-queries.ts";

/** The program that is valid now: its newest version (program.md 9). One small statement; the document is sent once a process. */
export async function readProgram(queryable: Queryable): Promise<Program> {
  const known = knownNewest();
  return rememberNewest(await selectNewestProgram(queryable, known?.uid ?? null), known).program;
}
