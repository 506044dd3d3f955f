import { parseArgs } from "node:util";
import { readGrowth } from "../src/admin/growth/read-growth.ts";
import { readGuests } from "../src/admin/growth/read-guests.ts";
import { readJoinMonths } from "../src/admin/growth/read-join-months.ts";
import { readTiersOverTime } from "../src/admin/growth/read-tiers-over-time.ts";
import { readBenefits } from "../src/admin/results/read-benefits.ts";
import type { Deps } from "../src/deps.ts";
import { aggregateCustomerPoints } from "../src/growth/aggregate-customer-points.ts";
import { aggregateGrowth } from "../src/growth/aggregate-growth.ts";
import { verifyGrowth } from "../src/growth/verify-growth.ts";
import { cpuOf } from "./processes.ts";
import { seedCustomers } from "./seed-customers.ts";
import { seedDuePoints } from "./seed-due-points.ts";
import { say, withBenchDeps, withBenchFolder } from "./with-bench-deps.ts";

/**
 * What the growth of customers costs: each customer at first, each that changes, each allotment, and each page.
 * `node bench/growth.ts [--customers 100000]`: of three years, six of ten with orders, four with a change of tier.
 */
const { values } = parseArgs({ options: { customers: { type: "string", default: "100000" } } });
const customers = Number(values.customers);
const NOW = Temporal.Instant.from("2026-03-01T03:00:00Z");
const FIRST_AT = NOW.subtract({ hours: 24 * 1_095 });
const CHANGED = Math.round(customers / 10);
const PAGES = 30;

const SPREAD_CUSTOMERS = "update customer set created_at = $1::timestamptz + random() * interval '1095 days'";
const BUYERS = `insert into sale_buyer (bucket, customer_uid, orders, revenue, first_at, last_at)
select c.bucket, c.customer_uid, n.orders, 3000 * n.orders, c.created_at,
  c.created_at + case when n.orders > 1 then random() * ($1::timestamptz - c.created_at) else interval '0' end
from customer c
cross join lateral (select 1 + floor(-3 * ln(1 - random() + 0 * c.bucket))::bigint as orders) n
where random() < 0.6`;
const CHANGES = `insert into tier_change (bucket, customer_uid, uid, changed_at, from_uid, to_uid, cause)
select bucket, customer_uid, uuidv7(), created_at + random() * ($1::timestamptz - created_at), null,
  '11111111-1111-4111-8111-111111111111', 'check'
from customer
where random() < 0.4`;
const DAYS = `insert into growth_benefit_day (kind, day, benefits, points, returned, used, ordered)
select kind, day::date, 3, 300, 0, 2, 1
from unnest(array['coupon', 'reward-1', 'reward-2', 'reward-3']) kind
cross join generate_series($1::timestamptz - interval '400 days', $1::timestamptz, interval '1 day') day
on conflict do nothing`;
const ORDERS = `update sale_buyer
set orders = orders + 1, last_at = $1
where ctid in (select ctid from sale_buyer limit $2)`;

await withBenchFolder((dataDir) => withBenchDeps(dataDir, { now: () => NOW }, (deps) => bench(deps, dataDir)));

async function bench(deps: Deps, dataDir: string): Promise<void> {
  const measure = (what: string, count: number, work: () => Promise<unknown>) => costOfEach(dataDir, what, count, work);
  say(`making ${customers} customers`);
  await seedCustomers(deps.db, customers, FIRST_AT);
  await deps.db.execute(SPREAD_CUSTOMERS, [FIRST_AT]);
  await seedDuePoints(deps.db, NOW.subtract({ hours: 24 }));
  await deps.db.execute(BUYERS, [NOW]);
  await deps.db.execute(CHANGES, [NOW]);
  await deps.db.execute("update sale_standing set walked_to = null, counted_at = $1", [NOW]);
  await deps.db.execute("truncate growth_change");
  await deps.db.execute("vacuum analyze");
  await measure("a customer, counted at first", customers, async () => {
    while (!(await aggregateGrowth(deps)));
  });
  await measure("an allotment", customers, async () => {
    while (!(await aggregateCustomerPoints(deps)));
  });
  if (!(await verifyGrowth(deps, say))) throw new Error("the sums are not the customers'");
  await deps.db.execute("alter table sale_buyer disable trigger user");
  await measure("an order's sum, without a note", CHANGED, () => deps.db.execute(ORDERS, [NOW, CHANGED]));
  await deps.db.execute("alter table sale_buyer enable trigger user");
  await measure("an order's sum, with its note", CHANGED, () => deps.db.execute(ORDERS, [NOW, CHANGED]));
  await measure("a customer who changed", CHANGED, async () => {
    while (!(await aggregateGrowth(deps)));
  });
  await deps.db.execute(DAYS, [NOW]);
  await deps.db.execute("vacuum analyze");
  for (const read of [readGrowth, readGuests, readJoinMonths, readTiersOverTime, readBenefits])
    await measurePage(read.name, () => read(deps));
}

async function costOfEach(dataDir: string, what: string, count: number, work: () => Promise<unknown>): Promise<void> {
  const before = await cpuOf(process.pid, dataDir);
  await work();
  const after = await cpuOf(process.pid, dataDir);
  const each = (us: number) => (us / count).toFixed(1);
  const [service, database] = [after.serviceUs - before.serviceUs, after.databaseUs - before.databaseUs];
  say(`${what}: ${each(service)} us here and ${each(database)} us of the database`);
}

async function measurePage(name: string, read: () => Promise<unknown>): Promise<void> {
  const took: number[] = [];
  for (let n = 0; n < PAGES; n++) {
    const startedMs = performance.now();
    await read();
    took.push(performance.now() - startedMs);
  }
  const sorted = took.sort((a, b) => a - b);
  const at = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1);
  say(`${name}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`);
}
