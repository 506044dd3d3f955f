import { openPool } from "../../src/db/pool.ts";
import { aggregateCustomers } from "../../src/metrics/aggregate-customers.ts";
import { aggregateMetrics } from "../../src/metrics/aggregate-metrics.ts";

/**
 * A node that aggregates the figures of the database in its first argument (connection settings as JSON), at the store's time in the second, in small
 * steps, until it is killed.
 */
const [connection = "{}", now = ""] = process.argv.slice(2);
const db = openPool({ connection: JSON.parse(connection), connectionsMax: 4 });
const deps = { db, clock: { now: () => Temporal.Instant.from(now) }, postings: { isBusy: () => false } }; // no requests here
process.stdout.write("folding\n");
for (;;) {
  await aggregateMetrics(deps, { size: 3, steps: 2 });
  await aggregateCustomers(deps, { size: 3, steps: 2 });
}
