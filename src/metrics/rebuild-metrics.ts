import type { Deps } from "../deps.ts";
import { readProgram } from "../program/read-program.ts";
import { clearCustomerMetrics, lockMetricsState } from "./customer-queries.ts";
import { nextGeneration } from "./rollup.ts";
import { applyRollupPlan, lockRollups } from "./rollup-queries.ts";

/**
 * Starts to rebuild all metrics; the workers compute them from the ledger. The sums by day stay visible until the new ones are complete.
 * Expected expiries and active customers start again from zero, which the dashboard shows next to them.
 */
export async function rebuildMetrics(deps: Pick<Deps, "db">): Promise<void> {
  await deps.db.tx(async (tx) => {
    const rollups = await lockRollups(tx);
    const { store } = await readProgram(tx);
    const drop = rollups.find(({ isShown }) => !isShown) ?? null;
    await applyRollupPlan(tx, { drop, open: { generation: nextGeneration(rollups), timeZone: store.timeZone } });
  });
  await deps.db.tx(async (tx) => {
    await lockMetricsState(tx);
    await clearCustomerMetrics(tx);
  });
}
