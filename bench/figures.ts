import { parseArgs } from "node:util";
import { readHome } from "../src/admin/home/read-home.ts";
import { homeView } from "../src/admin/home/view.ts";
import type { Deps } from "../src/deps.ts";
import { aggregateCustomers } from "../src/metrics/aggregate-customers.ts";
import { aggregateMetrics } from "../src/metrics/aggregate-metrics.ts";
import { countStoreCustomers } from "../src/metrics/count-store-customers.ts";
import { verifyMetrics } from "../src/metrics/verify-metrics.ts";
import { seedCustomers } from "./seed-customers.ts";
import { seedDuePoints } from "./seed-due-points.ts";
import { watchMemory } from "./watch-memory.ts";
import { say, withBenchDeps, withBenchFolder } from "./with-bench-deps.ts";

/**
 * Measures how fast the figures of the dashboard's home page are computed from a ledger, and how long the page takes then.
 * `node bench/figures.ts [--customers 100000] [--allotments 10]`: the number of customers, and of allotments each, over two years.
 */
const { values } = parseArgs({
  options: { customers: { type: "string", default: "100000" }, allotments: { type: "string", default: "10" } },
});
const customers = Number(values.customers);
const allotments = Number(values.allotments);
const HOMES = 50;
const NOW = Temporal.Instant.from("2026-03-01T03:00:00Z");
const FIRST_AT = NOW.subtract({ hours: 24 * 730 });
const TYPES = ["fulfillment", "api", "reward", "refund"];

// Allotments in the past after the first, spread over the years: the sums by day do not depend on the ledger's other tables.
const SPREAD = `with made as materialized (
  select b.bucket, b.customer_uid, n, uuidv7() as uid, random() as part
  from balance b
  cross join generate_series(1, $2::integer - 1) n)
insert into allotment (bucket, customer_uid, version, uid, allotted_at, type, point_value, balance_after, source_key, app_reference,
  origin, extends, program_version)
select bucket, customer_uid, 1 + n, uid,
  $1::timestamptz + interval '730 days' * (n + part) / ($2::integer + 1),
  ($3::text[])[1 + (n + bucket) % 4],
  case when (n + bucket) % 4 = 3 then -10 else 10 end,
  100, 'api/' || uid, 'bench', null, false, 1
from made`;

await withBenchFolder((dataDir) => withBenchDeps(dataDir, { now: () => NOW }, bench));

async function bench(deps: Deps): Promise<void> {
  say(`making ${customers} customers with ${allotments} allotments each`);
  await seedCustomers(deps.db, customers);
  await seedDuePoints(deps.db, FIRST_AT);
  if (allotments > 1) await deps.db.execute(SPREAD, [FIRST_AT, allotments, TYPES]);
  await deps.db.execute("vacuum analyze allotment");
  const memory = watchMemory();
  await measure(`sums by day of ${customers * allotments} allotments`, customers * allotments, async () => {
    while (!(await aggregateMetrics(deps)));
  });
  await measure(`standings of ${customers} customers`, customers, async () => {
    while (!(await aggregateCustomers(deps)));
  });
  await measure("customers counted", customers, () => countStoreCustomers(deps));
  const { before, peak } = memory.stop();
  say(`the process: ${before} MB before and ${peak} MB at its peak`);
  for (const days of [30, 365]) await measureHome(deps, days);
  if (!(await verifyMetrics(deps, say))) throw new Error("the figures are not the ledger's");
}

async function measure(what: string, count: number, work: () => Promise<unknown>): Promise<void> {
  const startedMs = performance.now();
  await work();
  const seconds = (performance.now() - startedMs) / 1_000;
  say(`${what}: ${seconds.toFixed(1)} s, ${Math.round(count / seconds)}/s`);
}

async function measureHome(deps: Deps, days: number): Promise<void> {
  const took: number[] = [];
  for (let n = 0; n < HOMES; n++) {
    const startedMs = performance.now();
    JSON.stringify(homeView(await readHome(deps, { days }), null));
    took.push(performance.now() - startedMs);
  }
  const sorted = took.sort((a, b) => a - b);
  const at = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1);
  say(`home of ${days} days: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`);
}
