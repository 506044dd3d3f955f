import type { Queryable } from "../db/pool.ts";
import { collectionName } from "../program/collection-name.ts";
import type { Program } from "../program/program.ts";
import { readProgramVersions } from "../program/read-program-versions.ts";
import type { RunResult } from "./result-queries.ts";
import { runsOf } from "./run.ts";

export interface TitledRun extends RunResult {
  /** What people call the run: the name of a campaign; of a bonus its name, or that of its collection, or the id of the collection. */
  readonly title: string;
}

/**
 * Adds what runs are called in the last version of the program that has them. A bonus without a name there has the name of its collection in the
 * present program.
 */
export async function readRunTitles(
  queryable: Queryable,
  runs: readonly RunResult[],
  program: Program,
): Promise<readonly TitledRun[]> {
  const titles = new Map<string, string | null>();
  const programs = await readProgramVersions(queryable, new Set(runs.map(({ programVersion }) => programVersion)));
  for (const [version, of] of programs) for (const { key, title } of runsOf(of)) titles.set(`${version} ${key}`, title);
  return runs.map((run) => {
    const usual = run.kind === "bonus" ? collectionName(run.name, program) : run.name;
    return { ...run, title: titles.get(`${run.programVersion} ${run.key}`) ?? usual };
  });
}
