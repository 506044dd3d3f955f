import type { Tx } from "../db/pool.ts";
import { unnested } from "../db/unnested.ts";
import type { SaleSums } from "./sale-sums.ts";

const ADD_SLOTS = `insert into sale_slot as s (slot, tier_uid, is_guest, orders, campaign_orders, revenue, points, awarded)
select slot, tier_uid, is_guest, orders, campaign_orders, revenue::numeric, points::numeric, awarded::numeric
from (${unnested([
  "slot timestamptz",
  "tier_uid uuid",
  "is_guest boolean",
  "orders bigint",
  "campaign_orders bigint",
  "revenue text",
  "points text",
  "awarded text",
])}) u
on conflict (slot, tier_uid, is_guest) do update
set orders = s.orders + excluded.orders,
  campaign_orders = s.campaign_orders + excluded.campaign_orders,
  revenue = s.revenue + excluded.revenue,
  points = s.points + excluded.points,
  awarded = s.awarded + excluded.awarded`;

const ADD_COLLECTIONS = `insert into sale_collection as s (collection_id, slot, orders, revenue)
select collection_id, slot, orders, revenue::numeric
from (${unnested(["collection_id text", "slot timestamptz", "orders bigint", "revenue text"])}) u
on conflict (collection_id, slot) do update
set orders = s.orders + excluded.orders,
  revenue = s.revenue + excluded.revenue`;

// Updates the reach first, and returns by how many customers each result changes.
const ADD_REACH = `insert into sale_reach as s (run, tier_uid, bucket, customer_uid, orders)
select run, tier_uid, bucket, customer_uid, orders
from (${unnested(["run text", "tier_uid uuid", "bucket smallint", "customer_uid uuid", "orders integer"])}) u
on conflict (run, tier_uid, bucket, customer_uid) do update
set orders = s.orders + excluded.orders
returning s.run,
  s.tier_uid as "tierUid",
  s.customer_uid as "customerUid",
  s.orders`;

const DROP_REACH = `delete from sale_reach s
using (${unnested(["run text", "tier_uid uuid", "bucket smallint", "customer_uid uuid"])}) u
where s.run = u.run
  and s.tier_uid = u.tier_uid
  and s.bucket = u.bucket
  and s.customer_uid = u.customer_uid
  and s.orders = 0`;

const ADD_RESULTS = `insert into sale_result as s (run, tier_uid, orders, customers, revenue, points, extra)
select run, tier_uid, orders, customers, revenue::numeric, points::numeric, extra::numeric
from (${unnested([
  "run text",
  "tier_uid uuid",
  "orders bigint",
  "customers bigint",
  "revenue text",
  "points text",
  "extra text",
])}) u
on conflict (run, tier_uid) do update
set orders = s.orders + excluded.orders,
  customers = s.customers + excluded.customers,
  revenue = s.revenue + excluded.revenue,
  points = s.points + excluded.points,
  extra = s.extra + excluded.extra`;

// The first and last order are read from the sales, which are written before; an index finds both.
const ADD_BUYERS = `insert into sale_buyer as s (bucket, customer_uid, orders, revenue, first_at, last_at)
select u.bucket, u.customer_uid, u.orders, u.revenue::numeric, coalesce(f.at, '-infinity'), coalesce(l.at, '-infinity')
from (${unnested(["bucket smallint", "customer_uid uuid", "orders bigint", "revenue text"])}) u
left join lateral (
  select at
  from sale
  where bucket = u.bucket and customer_uid = u.customer_uid
  order by at
  limit 1) f on true
left join lateral (
  select at
  from sale
  where bucket = u.bucket and customer_uid = u.customer_uid
  order by at desc
  limit 1) l on true
on conflict (bucket, customer_uid) do update
set orders = s.orders + excluded.orders,
  revenue = s.revenue + excluded.revenue,
  first_at = excluded.first_at,
  last_at = excluded.last_at`;

const DROP_BUYERS = `delete from sale_buyer s
using (${unnested(["bucket smallint", "customer_uid uuid"])}) u
where s.bucket = u.bucket
  and s.customer_uid = u.customer_uid
  and s.orders = 0`;

/** Adds a change to the sums; the sales themselves are already written. The caller has locked the progress row. */
export async function addToSaleSums(tx: Tx, change: SaleSums): Promise<void> {
  await Promise.all([addSlots(tx, change), addResults(tx, change), addBuyers(tx, change)]);
}

async function addSlots(tx: Tx, { slots, collections }: SaleSums): Promise<void> {
  await Promise.all([
    tx.execute(ADD_SLOTS, [
      slots.map(({ slot }) => slot),
      slots.map(({ tierUid }) => tierUid),
      slots.map(({ isGuest }) => isGuest),
      slots.map(({ orders }) => orders),
      slots.map(({ campaignOrders }) => campaignOrders),
      slots.map(({ revenue }) => `${revenue}`),
      slots.map(({ points }) => `${points}`),
      slots.map(({ awarded }) => `${awarded}`),
    ]),
    tx.execute(ADD_COLLECTIONS, [
      collections.map(({ collectionId }) => collectionId),
      collections.map(({ slot }) => slot),
      collections.map(({ orders }) => orders),
      collections.map(({ revenue }) => `${revenue}`),
    ]),
  ]);
}

async function addResults(tx: Tx, { results, reach }: SaleSums): Promise<void> {
  type Row = { run: string; tierUid: string; customerUid: string; orders: number };
  const keys = [
    reach.map(({ run }) => run),
    reach.map(({ tierUid }) => tierUid),
    reach.map(({ customer }) => customer.bucket),
    reach.map(({ customer }) => customer.customerUid),
  ] as const;
  const written = await tx.query<Row>(ADD_REACH, [...keys, reach.map(({ orders }) => Number(orders))]);
  const added = new Map(reach.map((row) => [`${row.run} ${row.tierUid} ${row.customer.customerUid}`, row.orders]));
  const customers = new Map<string, number>();
  for (const { run, tierUid, customerUid, orders } of written) {
    const before = orders - Number(added.get(`${run} ${tierUid} ${customerUid}`) ?? 0n);
    const key = `${run} ${tierUid}`;
    customers.set(key, (customers.get(key) ?? 0) + Math.sign(orders) - Math.sign(before));
  }
  // The number of customers of a run may change while its sums stay, where an order of the same value moves to another customer.
  const rows = new Map(results.map((row) => [`${row.run} ${row.tierUid}`, row]));
  for (const { run, tierUid } of reach)
    if (!rows.has(`${run} ${tierUid}`))
      rows.set(`${run} ${tierUid}`, { run, tierUid, orders: 0n, revenue: 0n, points: 0n, extra: 0n });
  const all = [...rows.values()];
  await Promise.all([
    tx.execute(DROP_REACH, [...keys]),
    tx.execute(ADD_RESULTS, [
      all.map(({ run }) => run),
      all.map(({ tierUid }) => tierUid),
      all.map(({ orders }) => orders),
      all.map(({ run, tierUid }) => customers.get(`${run} ${tierUid}`) ?? 0),
      all.map(({ revenue }) => `${revenue}`),
      all.map(({ points }) => `${points}`),
      all.map(({ extra }) => `${extra}`),
    ]),
  ]);
}

async function addBuyers(tx: Tx, { buyers }: SaleSums): Promise<void> {
  const keys = [
    buyers.map(({ customer }) => customer.bucket),
    buyers.map(({ customer }) => customer.customerUid),
  ] as const;
  await tx.execute(ADD_BUYERS, [
    ...keys,
    buyers.map(({ orders }) => orders),
    buyers.map(({ revenue }) => `${revenue}`),
  ]);
  await tx.execute(DROP_BUYERS, [...keys]);
}
