import type { Deps } from "../../src/deps.ts";
import { aggregateCustomers } from "../../src/metrics/aggregate-customers.ts";
import { aggregateMetrics } from "../../src/metrics/aggregate-metrics.ts";
import { selectMetricsState } from "../../src/metrics/customer-queries.ts";
import { selectRollups } from "../../src/metrics/rollup-queries.ts";
import { waitUntil } from "./wait-until.ts";

const NEWEST = `select max(allotted_at) as "newestAt" from allotment`;

/** Aggregates until the figures include the complete ledger: transactions of other databases of the server can delay the settled mark. */
export async function aggregateAll(deps: Deps): Promise<void> {
  await waitUntil(async () => {
    const isDone = (await aggregateMetrics(deps)) && (await aggregateCustomers(deps));
    const [[row], rollups, state] = await Promise.all([
      deps.db.query<{ newestAt: Temporal.Instant | null }>(NEWEST),
      selectRollups(deps.db),
      selectMetricsState(deps.db),
    ]);
    const newestAt = row?.newestAt ?? null;
    const hasPassed = (at: Temporal.Instant | null) =>
      newestAt === null || (at !== null && Temporal.Instant.compare(at, newestAt) >= 0);
    return (
      isDone &&
      rollups.length === 1 &&
      rollups.every((rollup) => hasPassed(rollup.allottedAt)) &&
      hasPassed(state.allottedAt)
    );
  });
}
