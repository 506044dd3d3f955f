import type { ReadDeps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import type { Program } from "../../program/program.ts";
import { readProgram } from "../../program/read-program.ts";
import { readRunTitles } from "../../sales/read-run-titles.ts";
import { selectRunResult, selectTierResults, type TierResult } from "../../sales/result-queries.ts";
import { type ComparedRun, compareRun } from "./compare-run.ts";

export interface TieredResult extends ComparedRun {
  readonly tiers: readonly TierResult[];
  readonly program: Program;
  readonly now: Temporal.Instant;
}

/** Reads one run with its result by tier. Throws `not_found`. */
export async function readResult(deps: Pick<ReadDeps, "db" | "clock">, id: string): Promise<TieredResult> {
  const now = deps.clock.now();
  return await deps.db.snapshot(async (tx) => {
    const program = await readProgram(tx);
    const found = await selectRunResult(tx, id);
    const [run] = found === undefined ? [] : await readRunTitles(tx, [found], program);
    if (run === undefined) throw new Problem("not_found");
    return { ...(await compareRun(tx, run, program, now)), tiers: await selectTierResults(tx, id), program, now };
  });
}
