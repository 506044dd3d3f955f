import { parseArgs } from "node:util";
import { newSecretKey, secretKeyPath, writeSecretKeys } from "../src/credentials/secret-key-file.ts";
import type { Deps } from "../src/deps.ts";
import { aggregateCustomerPoints } from "../src/growth/aggregate-customer-points.ts";
import { aggregateGrowth } from "../src/growth/aggregate-growth.ts";
import { ensureLedgerKey } from "../src/ledger/key/ensure-ledger-key.ts";
import { aggregateLiability } from "../src/liability/aggregate-liability.ts";
import { aggregateCustomers } from "../src/metrics/aggregate-customers.ts";
import { aggregateMetrics } from "../src/metrics/aggregate-metrics.ts";
import { countStoreCustomers } from "../src/metrics/count-store-customers.ts";
import { advanceBookmarks } from "../src/points/allotments/advance-bookmarks.ts";
import { countSegments } from "../src/segments/count-segments.ts";
import { saveSegment } from "../src/segments/save-segment.ts";
import { createStaff } from "../src/staff/create-staff.ts";
import { median, tableText } from "./cost.ts";
import { spawnServer } from "./processes.ts";
import { signIn } from "./scale-reads.ts";
import { storefrontIdOf } from "./scenarios.ts";
import { sealLedger } from "./seal-ledger.ts";
import { seedLedger } from "./seed-ledger.ts";
import { say, serviceEnv, withBenchDeps, withBenchFolder } from "./with-bench-deps.ts";

/**
 * Measures each request of the dashboard's pages in a store of many customers: ten allotments each, six of ten with orders, four of ten with a change
 * of tier, segments, and all read models.
 * `node bench/dashboard-pages.ts [--customers 1000000] [--folder DIR]`: the store is kept in the folder for the next run; a folder made by `npm run
 * bench -- --scale` can be used.
 */
const { values } = parseArgs({
  options: { customers: { type: "string", default: "1000000" }, folder: { type: "string" } },
});
const customers = Number(values.customers);
const PERSON = { email: "pages@store.example", password: "correct horse battery staple" };
const API = "/admin/api";
const READS = 15;
const WARM_READS = 2;
/** The distance between customers that are read. */
const STRIDE = 7_919;

const BUYERS = `insert into sale_buyer (bucket, customer_uid, orders, revenue, first_at, last_at)
select c.bucket, c.customer_uid, n.orders, 3000 * n.orders, c.created_at,
  c.created_at + case when n.orders > 1 then random() * (now() - c.created_at) else interval '0' end
from customer c
cross join lateral (select 1 + least(4, floor(-1.2 * ln(1 - random() + 0 * c.bucket)))::bigint as orders) n
where random() < 0.6`;
const ORDERS = `insert into store_order (order_id, platform, bucket, customer_uid, facts, rules, awardable_points, awarded_points, received_at)
select 'o' || n || '-' || c.storefront_id, 'test', b.bucket, b.customer_uid,
  jsonb_build_object('stated', jsonb_build_object(
    'orderName', '#' || right(c.storefront_id, 7) || n,
    'shopCurrency', 'JPY',
    'total', jsonb_build_object('minor', '3000', 'currency', 'JPY'))),
  '{"currency": "JPY"}', 30, case when c.storefront_id like '%7' then 0 else 30 end,
  b.first_at + (b.last_at - b.first_at) * (n / greatest(1, b.orders - 1)::double precision)
from sale_buyer b
join customer c using (bucket, customer_uid)
cross join generate_series(0, b.orders - 1) as n`;
const SALES = `insert into sale (order_id, bucket, customer_uid, at, tier_uid, revenue, points, awarded, parts)
select order_id, bucket, customer_uid, processed_at, '00000000-0000-0000-0000-000000000000', 3000, 30, 30, '{}'
from store_order`;
const SLOTS = `insert into sale_slot (slot, tier_uid, is_guest, orders, campaign_orders, revenue, points, awarded)
select date_bin('15 minutes', at, 'epoch'), tier_uid, false, count(*), 0, sum(revenue), sum(points), sum(awarded)
from sale
group by 1, 2`;
const CHANGES = `insert into tier_change (bucket, customer_uid, uid, changed_at, from_uid, to_uid, cause)
select bucket, customer_uid, uuidv7(), created_at + random() * (now() - created_at), null,
  '11111111-1111-4111-8111-111111111111', 'check'
from customer
where random() < 0.4`;
/** Marks the orders as counted, as the worker would after counting them one by one. */
const COUNTED = "update sale_standing set walked_to = null, counted_at = now()";
/** Queued changes are not needed: the first run walks through all customers. */
const FORGOTTEN = "truncate growth_change";

async function hasRow({ db }: Deps, table: string): Promise<boolean> {
  return (await db.query(`select from ${table} limit 1`)).length > 0;
}

async function prepare(deps: Deps): Promise<void> {
  const { db } = deps;
  if (!(await hasRow(deps, "balance"))) {
    await ensureLedgerKey(deps); // before there are points, which can only be linked with the key
    await timed(`${customers} customers`, () => seedLedger(db, customers));
    await timed("chains and checkpoints", () => sealLedger(deps));
  }
  if (!(await hasRow(deps, "sale_buyer"))) await timed("orders", () => seedOrders(deps));
  if (!(await db.query("select from staff where email = $1", [PERSON.email])).length)
    await createStaff(deps, { ...PERSON, name: "pages", role: "owner" });
  if (!(await hasRow(deps, "segment"))) {
    await saveSegment(deps, { uid: null, name: "Buyers", filter: { ordersMin: 2 }, by: "bench" });
    await saveSegment(deps, { uid: null, name: "Lapsing", filter: { activity: "lapsing" }, by: "bench" });
  }
  await timed("bookmarks", () => advanceBookmarks(deps));
  const jobs: [string, () => Promise<boolean>][] = [
    ["figures by day", () => aggregateMetrics(deps)],
    ["figures of customers", () => aggregateCustomers(deps)],
    ["growth of customers", () => aggregateGrowth(deps)],
    ["points and benefits of customers", () => aggregateCustomerPoints(deps)],
    ["liability by month", () => aggregateLiability(deps)],
    ["lists of segments", async () => (await countSegments(deps)) === 0],
  ];
  for (const [name, step] of jobs)
    await timed(name, async () => {
      while (!(await step()));
    });
  await timed("customers counted", () => countStoreCustomers(deps));
  await db.execute("vacuum analyze");
}

async function seedOrders({ db }: Deps): Promise<void> {
  const owned = ["store_order", "sale_buyer", "tier_change"];
  for (const table of owned) await db.execute(`alter table ${table} disable trigger user`);
  for (const statement of [BUYERS, ORDERS, SALES, SLOTS, CHANGES, COUNTED, FORGOTTEN]) await db.execute(statement);
  for (const table of owned) await db.execute(`alter table ${table} enable trigger user`);
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const startedMs = performance.now();
  await work();
  say(`${what}: ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
}

interface Found {
  readonly segment: string;
  readonly tier: string;
  readonly next: string;
  readonly order: string;
}

/** The requests of each page: a path for each number of the read, so that customers differ. */
function requestsOf({ segment, tier, next, order }: Found): [page: string, path: (n: number) => string][] {
  const id = (n: number) => storefrontIdOf((n * STRIDE + 17) % customers);
  const fixed = (page: string, ...paths: string[]) =>
    paths.map((path): [string, (n: number) => string] => [page, () => path]);
  return [
    ...fixed("every page", "/session", "/approvals/waiting", "/access-notices"),
    ...fixed("Home", "/home?days=30", "/home?days=90", "/home?days=365", "/intake/backlog"),
    ...fixed(
      "Customers",
      "/customers",
      `/customers?after=${next}`,
      "/customers?sort=points",
      `/customers?tier=${tier}`,
    ),
    ["Customers", (n) => `/customers?q=customer-${(n * STRIDE) % customers}@`],
    ...fixed("Customers", `/customers?q=${encodeURIComponent("佐藤")}`, "/customers?q=c", "/customers?q=cus"),
    ["a customer", (n) => `/customers/${id(n)}`],
    ["a customer", (n) => `/customers/${id(n)}/ledger`],
    ["a customer", (n) => `/customers/${id(n)}/orders`],
    ["a customer", (n) => `/customers/${id(n)}/tier-changes`],
    ["a customer", (n) => `/customers/${id(n)}/explanation`],
    ...fixed("Segments", "/segments", `/segments/${segment}/customers`),
    ...fixed("Ledger", "/ledger", "/ledger/totals", "/ledger?type=manual", "/ledger?direction=spent"),
    ["Ledger", (n) => `/ledger?customer=${id(n)}`],
    ...fixed("Orders", "/orders", "/orders?state=pending", `/orders?q=${encodeURIComponent(order)}`),
    ...fixed("Approvals", "/approvals"),
    ...fixed("Program", "/program", "/program/tier-members"),
    ...fixed("Results", "/results", "/results/benefits"),
    ...fixed("Growth", "/growth", "/growth/guests", "/growth/joined", "/growth/tiers"),
    ...fixed("Liability", "/liability"),
    ...fixed("Webhooks", "/webhooks/subscriptions", "/webhooks/deliveries"),
    ...fixed("Audit log", "/audit", "/audit/choices"),
    ...fixed("Jobs", "/jobs"),
    ...fixed("Intake", "/intake/receipts", "/intake/summary"),
  ];
}

async function measure(url: string): Promise<void> {
  const cookie = await signIn(url, PERSON);
  const read = async (path: string) => {
    const response = await fetch(`${url}${API}${path}`, { headers: { cookie } });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`);
    return text;
  };
  const first = JSON.parse(await read("/customers"));
  const found = {
    segment: JSON.parse(await read("/segments")).data[0].uid,
    tier: first.tiers[0].uid,
    next: encodeURIComponent(first.next),
    order: JSON.parse(await read("/orders")).data[0].name,
  };
  const rows: string[][] = [];
  for (const [page, path] of requestsOf(found)) {
    const tookMs: number[] = [];
    const outcome = await (async () => {
      for (let n = -WARM_READS; n < READS; n++) {
        const startedMs = performance.now();
        await read(path(n + WARM_READS));
        if (n >= 0) tookMs.push(performance.now() - startedMs);
      }
    })().catch((error: Error) => error.message);
    const shown =
      typeof outcome === "string" ? [outcome, ""] : [median(tookMs), Math.max(...tookMs)].map((ms) => ms.toFixed(1));
    rows.push([page, `\`${decodeURIComponent(path(0))}\``, ...shown]);
  }
  say(tableText([["page", "request", "median, ms", "longest, ms"], ...rows]));
}

async function bench(dataDir: string): Promise<void> {
  const env = serviceEnv(dataDir);
  const key = secretKeyPath(dataDir);
  await writeSecretKeys(key, [newSecretKey()], "fresh"); // the service decrypts what is sealed here; an existing key is kept
  await withBenchDeps(dataDir, { now: () => Temporal.Now.instant() }, prepare);
  const server = await spawnServer(env);
  try {
    await measure(server.url);
  } finally {
    await server.stop();
  }
}

await (values.folder === undefined ? withBenchFolder(bench) : bench(values.folder));
