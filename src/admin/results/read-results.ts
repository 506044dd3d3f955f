import type { ReadDeps } from "../../deps.ts";
import type { Program } from "../../program/program.ts";
import { readProgram } from "../../program/read-program.ts";
import { readRunTitles } from "../../sales/read-run-titles.ts";
import { selectRunResults } from "../../sales/result-queries.ts";
import { selectSalesProgress } from "../../sales/sale-queries.ts";
import { PAGE_ROWS, READ_ROWS } from "../list.ts";
import { type ComparedRun, compareRun } from "./compare-run.ts";

export interface Results {
  readonly runs: readonly ComparedRun[];
  readonly next: string | null;
  readonly countedAt: Temporal.Instant | null;
  readonly program: Program;
  readonly now: Temporal.Instant;
}

/** Reads a page of the results of campaigns and bonus collections, from read models only: what runs, what is over, what is planned. */
export async function readResults(
  deps: Pick<ReadDeps, "db" | "clock">,
  query: { readonly kind?: "campaign" | "bonus" | undefined; readonly after?: string | undefined },
): Promise<Results> {
  const now = deps.clock.now();
  const offset = Number(query.after ?? 0);
  return await deps.db.snapshot(async (tx) => {
    const program = await readProgram(tx);
    const found = await selectRunResults(tx, { kind: query.kind ?? null, offset, rows: READ_ROWS, now });
    const { countedAt } = await selectSalesProgress(tx);
    const runs: ComparedRun[] = [];
    const shown = await readRunTitles(tx, found.slice(0, PAGE_ROWS), program);
    for (const run of shown) runs.push(await compareRun(tx, run, program, now));
    const next = found.length > PAGE_ROWS ? String(offset + PAGE_ROWS) : null;
    return { runs, next, countedAt, program, now };
  });
}
