import { parseArgs } from "node:util";
import { listMoved } from "../src/admin/growth/list-moved.ts";
import { movedCursor } from "../src/admin/growth/moved-cursor.ts";
import { readGrowth } from "../src/admin/growth/read-growth.ts";
import { readGuests } from "../src/admin/growth/read-guests.ts";
import { readJoinMonths } from "../src/admin/growth/read-join-months.ts";
import { readTiersOverTime } from "../src/admin/growth/read-tiers-over-time.ts";
import type { MovesQuery } from "../src/admin/growth/schema.ts";
import { type RowsPage, timeUuidCursor } from "../src/admin/list.ts";
import { listBenefits } from "../src/admin/results/list-benefits.ts";
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
 * Measures the cost of the growth figures: each customer in the first run, each changed customer, each allotment, and each page.
 * `node bench/growth.ts [--customers 100000]`: over three years, six of ten with orders, four of ten with a change of tier.
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
const EACH = 40;
const MANY_MOVED = `insert into growth_moved (month, from_uid, to_uid, bucket, customer_uid)
select 24313, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, '11111111-1111-4111-8111-111111111111', bucket, customer_uid
from customer
cross join generate_series(1, $1::integer) n`;
const MANY_MOVES = `insert into growth_move (month, from_uid, to_uid, customers)
select month, from_uid, to_uid, count(*)
from growth_moved
where from_uid::text like '00000000-0000-4000-8000-%'
group by 1, 2, 3`;
const MANY_BENEFITS = `insert into growth_benefit (bucket, customer_uid, version, kind, at, points, is_used, has_order)
select bucket, customer_uid, 1000 + n, 'coupon', timestamptz '2026-02-01' + random() * interval '27 days', 100,
  random() < 0.01, random() < 0.001
from customer
cross join generate_series(1, $1::integer) n`;
const SIZES = `select relname as name, pg_size_pretty(pg_relation_size(oid)) as size
from pg_class
where relname like 'growth_moved%' or relname like 'growth_benefit_%' or relname = 'growth_benefit'
order by 1`;
/** Positions in the middle of each list. */
const MIDDLE = "80000000-0000-7000-8000-000000000080";
const MOVED_DEEP = movedCursor.format({
  ...{ month: 24_313, from: "00000000-0000-4000-8000-000000000020", to: "11111111-1111-4111-8111-111111111111" },
  customerUid: MIDDLE,
});
const BENEFIT_DEEP = timeUuidCursor.format({ at: Temporal.Instant.from("2026-02-10T00:00:00Z"), id: MIDDLE });
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
  await measureLists(deps);
}

/**
 * Measures the first and a deep page of the lists of one month with `rows` moves between many tiers, and as many coupons, few of which had an effect.
 */
async function measureLists(deps: Deps): Promise<void> {
  const { db } = deps;
  for (const text of [MANY_MOVED, MANY_MOVES, MANY_BENEFITS]) await db.execute(text, text === MANY_MOVES ? [] : [EACH]);
  await db.execute("vacuum analyze");
  say(`${EACH * customers} rows of a month`);
  for (const { name, size } of await db.query<{ name: string; size: string }>(SIZES)) say(`${name}: ${size}`);
  const moved: MovesQuery = { month: "2026-02", direction: "up" };
  await measureList("listMoved", (after) => listMoved(deps, { ...moved, ...after }), MOVED_DEEP);
  for (const outcome of [undefined, "used", "ordered"] as const) {
    const query = { kind: "coupon", month: "2026-02", ...(outcome === undefined ? {} : { outcome }) } as const;
    await measureList(
      `listBenefits ${outcome ?? ""}`,
      (after) => listBenefits(deps, { ...query, ...after }),
      BENEFIT_DEEP,
    );
  }
}

async function measureList(
  name: string,
  read: (after: { after?: string }) => Promise<RowsPage<unknown>>,
  deep: string,
): Promise<void> {
  await measurePage(`${name}, first page`, () => read({}));
  await measurePage(`${name}, in the middle`, () => read({ after: deep }));
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
