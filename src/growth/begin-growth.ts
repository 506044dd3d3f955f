import type { Tx } from "../db/pool.ts";
import { START } from "../metrics/rollup.ts";
import { readProgram } from "../program/read-program.ts";
import { deleteGrowth, type GrowthProgress, lockGrowthProgress, updateGrowthProgress } from "./growth-queries.ts";

const BEFORE_FIRST = { walkBucket: -1, walkUid: START.allotmentUid };

/** Locks the progress row. Where the store's time zone differs from the row's, it deletes all sums and starts counting from the beginning. */
export async function beginGrowth(tx: Tx): Promise<GrowthProgress> {
  const progress = await lockGrowthProgress(tx);
  const { timeZone } = (await readProgram(tx)).store;
  if (progress.timeZone === timeZone) return progress;
  await deleteGrowth(tx);
  const begun = { ...START, ...BEFORE_FIRST, timeZone, countedAt: null };
  await updateGrowthProgress(tx, begun);
  return begun;
}
