import type { Queryable } from "../db/pool.ts";
import type { Program } from "./program.ts";
import { knownVersion, rememberProgram } from "./program-cache.ts";
import { selectProgramsAt } from "./program-queries.ts";

/** Returns the programs of versions that are stored with other data, by version, with one statement for all. Throws if there is no such version. */
export async function readProgramVersions(
  queryable: Queryable,
  versions: ReadonlySet<number>,
): Promise<ReadonlyMap<number, Program>> {
  if (versions.size === 0) return new Map();
  const known = new Map([...versions].flatMap((version) => knownVersion(version) ?? []).map((one) => [one.uid, one]));
  const found = await selectProgramsAt(queryable, [...versions], [...known.keys()]);
  if (found.length < versions.size) throw new Error("there is no such version of the program");
  return new Map(found.map((row) => [row.version, rememberProgram(row, known.get(row.uid) ?? null).program]));
}
