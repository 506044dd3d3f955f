import type { Deps } from "../deps.ts";
import { START } from "../metrics/rollup.ts";
import { deleteGrowth, lockGrowthProgress, updateGrowthProgress } from "./growth-queries.ts";

/** Deletes what was counted of customers; the workers count all of them again. */
export async function rebuildGrowth(deps: Pick<Deps, "db">): Promise<void> {
  await deps.db.tx(async (tx) => {
    await lockGrowthProgress(tx);
    await deleteGrowth(tx);
    await updateGrowthProgress(tx, { ...START, timeZone: "", walkBucket: null, walkUid: null, countedAt: null });
  });
}
