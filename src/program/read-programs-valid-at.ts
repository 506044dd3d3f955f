import type { Queryable } from "../db/pool.ts";
import type { Program } from "./program.ts";
import { selectVersionsValidAt } from "./program-queries.ts";
import { readProgramVersion } from "./read-program-version.ts";

/** The programs that orders processed at some instants earn by, in their order: as `readProgramValidAt`, with one statement a version. */
export async function readProgramsValidAt(
  queryable: Queryable,
  instants: readonly Temporal.Instant[],
): Promise<readonly Program[]> {
  if (instants.length === 0) return [];
  const versions = (await selectVersionsValidAt(queryable, instants)).map(({ version }) => {
    if (version === null) throw new Error("no version of the program holds for all time: ensureProgram makes one");
    return version;
  });
  const found = new Map<number, Program>();
  for (const version of new Set(versions)) found.set(version, await readProgramVersion(queryable, version));
  return versions.flatMap((version) => found.get(version) ?? []);
}
