import type { Tx } from "../../db/pool.ts";
import type { Program } from "../../program/program.ts";
import { type Comparison, comparisonOf } from "../../sales/comparison.ts";
import type { TitledRun } from "../../sales/read-run-titles.ts";
import { type ResultSums, selectSpan } from "../../sales/result-queries.ts";

/** The result of a run, and that of the same weekdays before; null: there is nothing to compare with. */
export interface ComparedRun {
  readonly run: TitledRun;
  readonly before: (ResultSums & { readonly campaignOrders: bigint; readonly comparison: Comparison }) | null;
}

/** Sums the slots of the same weekdays before a run: about 100 per day and tier, at most 400 days. */
export async function compareRun(
  tx: Tx,
  run: TitledRun,
  program: Program,
  now: Temporal.Instant,
): Promise<ComparedRun> {
  const comparison = comparisonOf(run, now, program.store.timeZone);
  if (comparison === null) return { run, before: null };
  const collectionId = run.kind === "bonus" ? run.name : null;
  const sums = await selectSpan(tx, { ...comparison.before, collectionId });
  return { run, before: { ...sums, comparison } };
}
