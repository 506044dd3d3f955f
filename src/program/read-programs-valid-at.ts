import type { Queryable } from "../db/pool.ts";
import type { Program } from "./program.ts";
import { knownProgram } from "./program-cache.ts";
import { selectVersionsValidAt } from "./program-queries.ts";
import { readProgramVersion } from "./read-program-version.ts";

/**
 * Returns the programs by which orders processed at some instants earn, in their order: like `readProgramValidAt`, with one statement for
 * all, and one more for each version that this process has not read before.
 */
export async function readProgramsValidAt(
  queryable: Queryable,
  instants: readonly Temporal.Instant[],
): Promise<readonly Program[]> {
  if (instants.length === 0) return [];
  const versions = await selectVersionsValidAt(queryable, instants);
  if (versions.length !== instants.length)
    throw new Error("no version of the program holds for all time: ensureProgram makes the first at the start");
  const found = new Map<string, Program>();
  for (const { version, uid } of versions) {
    if (!found.has(uid)) found.set(uid, knownProgram(uid)?.program ?? (await readProgramVersion(queryable, version)));
  }
  return versions.flatMap(({ uid }) => found.get(uid) ?? []);
}
