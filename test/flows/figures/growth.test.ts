import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDice } from "../../../demo/season/dice.ts";
import { upsertCustomer } from "../../../src/customers/upsert-customer.ts";
import { aggregateCustomerPoints } from "../../../src/growth/aggregate-customer-points.ts";
import { aggregateGrowth } from "../../../src/growth/aggregate-growth.ts";
import { rebuildGrowth } from "../../../src/growth/rebuild-growth.ts";
import { verifyGrowth } from "../../../src/growth/verify-growth.ts";
import { aggregateSales } from "../../../src/sales/aggregate-sales.ts";
import { mergeInto } from "../../support/customers.ts";
import { aggregateGrowthAll, GROWTH_PROGRAM } from "../../support/growth-story.ts";
import { body, cancelled, line, shipped } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";

const MEMBERS = 25;
const ORDERS = 80;
const DAY_MS = 86_400_000;
const START_MS = Date.parse("2025-11-03T02:00:00Z");

/** A member of the test. */
interface Life {
  readonly joinedMs: number;
  isGone: boolean;
  readonly orders: Map<string, number>;
}

let flow: OrderFlow;
const dice = createDice(20_261_124);
const lives = new Map<string, Life>();
const dayMs = (day: number) => START_MS + day * DAY_MS;
const setDay = (day: number) => flow.clock.set(new Date(dayMs(day)).toISOString());

beforeAll(async () => {
  flow = await startOrderFlow({ program: GROWTH_PROGRAM, now: new Date(START_MS).toISOString() });
});
afterAll(() => flow.stop());

async function join(id: string, day: number): Promise<void> {
  setDay(day);
  await flow.deps.db.tx((tx) => upsertCustomer(tx, flow.deps, { storefrontId: id }));
  lives.set(id, { joinedMs: dayMs(day), isGone: false, orders: new Map() });
}

async function order(id: string, customer: string, day: number): Promise<void> {
  const processedAt = Temporal.Instant.fromEpochMilliseconds(dayMs(day));
  const events = [body(1, [line("a", { price: 1_000 })], { processedAt, email: null }), shipped(2, "f", { a: 1 })];
  await flow.take(...ofOrder(id, customer, events));
  lives.get(customer)?.orders.set(id, dayMs(day));
}

/** The store's month of an instant, as the sums number it. */
function monthOf(ms: number, zoneHours = 9): number {
  const local = new Date(ms + zoneHours * 3_600_000);
  return local.getUTCFullYear() * 12 + local.getUTCMonth();
}

/** What the sums by month have to be, from what the test did. */
function expectedMonths(zoneHours?: number): Record<string, number> {
  const sums: Record<string, number> = {};
  const add = (ms: number, figure: string) => {
    const key = `${monthOf(ms, zoneHours)} ${figure}`;
    sums[key] = (sums[key] ?? 0) + 1;
  };
  for (const { joinedMs, isGone, orders } of lives.values()) {
    if (isGone) continue;
    add(joinedMs, "joined");
    if (orders.size > 0) add(joinedMs, "ordered");
    if (orders.size > 1) add(joinedMs, "reordered");
    if (orders.size > 0) add(Math.min(...orders.values()), "first_ordered");
  }
  return sums;
}

async function countedMonths(): Promise<Record<string, number>> {
  const rows = await flow.deps.db.query<{ key: string; customers: bigint }>(
    "select month || ' ' || figure as key, customers from growth_month where customers <> 0",
  );
  return Object.fromEntries(rows.map(({ key, customers }) => [key, Number(customers)]));
}

/** Members lapsing on a day, by the rule in words: one and a half of the mean gap, which is a week at least. */
function expectedLapsing(day: number): number {
  return [...lives.values()].filter(({ isGone, orders }) => {
    const times = [...orders.values()].sort((a, b) => a - b);
    const [first, last] = [times.at(0), times.at(-1)];
    if (isGone || times.length < 2 || first === undefined || last === undefined) return false;
    const gap = Math.max(7 * DAY_MS, (last - first) / (times.length - 1));
    return last + 1.5 * gap < dayMs(day);
  }).length;
}

async function countedLapsing(day: number): Promise<number> {
  const [row] = await flow.deps.db.query<{ customers: bigint | null }>(
    "select sum(customers)::bigint as customers from growth_lapse where hour <= $1::timestamptz - interval '1 hour'",
    [new Date(dayMs(day)).toISOString()],
  );
  return Number(row?.customers ?? 0n);
}

/** Who had a coupon and ordered within 30 days of it; a merged customer is named by the id that they had. */
async function broughtBack(kind: string): Promise<string[]> {
  const rows = await flow.deps.db.query<{ id: string }>(
    `select c.storefront_id as id
    from growth_benefit g
    join customer c on c.bucket = g.bucket and c.customer_uid = g.customer_uid
    where g.kind = $1 and g.has_order
    order by 1`,
    [kind],
  );
  return rows.map(({ id }) => id);
}

async function expectRight(zoneHours?: number): Promise<void> {
  const lines: string[] = [];
  const isRight = await verifyGrowth(flow.deps, (text) => lines.push(text));
  expect({ isRight, lines }).toMatchObject({ isRight: true });
  expect(await countedMonths()).toEqual(expectedMonths(zoneHours));
  for (const day of [40, 80, 130, 160]) expect(await countedLapsing(day)).toBe(expectedLapsing(day));
  const [points] = await flow.deps.db.query<{ counted: bigint; held: bigint }>(
    `select (select sum(gained - taken) from growth_points)::bigint as counted,
      (select sum(ledger_points) from balance)::bigint as held`,
  );
  expect(points?.counted).toBe(points?.held);
}

describe("what is counted of customers", () => {
  test("is right in steps of any size, by several at once", async () => {
    for (let n = 0; n < MEMBERS; n++) await join(`m${n}`, n * 3);
    for (let n = 0; n < ORDERS; n++) {
      const member = dice.below(MEMBERS);
      setDay(member * 3 + dice.below(61));
      await order(`o${n}`, `m${member}`, member * 3 + dice.below(61));
    }
    setDay(132);
    for (const n of [4, 5, 7, 9]) {
      await flow.give(`m${n}`, 50);
      expect(await flow.coupon(`m${n}`, 20)).toMatchObject({ code: expect.any(String) });
    }
    setDay(135);
    while (!(await aggregateSales(flow.deps)));
    await Promise.all([
      aggregateGrowth(flow.deps, { size: 4, steps: 3 }),
      aggregateGrowth(flow.deps, { size: 7, steps: 2 }),
      aggregateCustomerPoints(flow.deps, { size: 5, steps: 3 }),
    ]);
    while (!(await aggregateGrowth(flow.deps, { size: 9 })));
    await aggregateGrowthAll(flow.deps);
    await expectRight();
    expect(expectedLapsing(130)).toBeGreaterThan(3);
  });

  test("follows tiers, cancellations, deletions and merges", async () => {
    for (const n of [1, 4, 9, 14]) {
      const tier = n % 2 === 0 ? "Gold" : "Regular";
      expect((await flow.client.post(`/api/storefront/point_balances/m${n}/tiers`, { tier: "Gold" })).status).toBe(200);
      setDay(135 + n);
      await flow.client.post(`/api/storefront/point_balances/m${n}/tiers`, { tier });
    }
    for (const id of ["o3", "o4", "o5", "o6"]) {
      const owner = [...lives.values()].find(({ orders }) => orders.delete(id));
      expect(owner).toBeDefined();
      const [name] = [...lives].find(([, life]) => life === owner) ?? [];
      await flow.take(...ofOrder(id, name ?? null, [cancelled(3)]));
    }
    await flow.remove("m2");
    const [gone, removed, kept] = [lives.get("m2"), lives.get("m4"), lives.get("m5")];
    if (gone === undefined || removed === undefined || kept === undefined) throw new Error("they joined above");
    gone.isGone = true;
    await mergeInto(flow.deps, "m4", "m5");
    removed.isGone = true;
    for (const [id, at] of removed.orders) kept.orders.set(id, at);
    await aggregateGrowthAll(flow.deps);
    await expectRight();
    expect(await broughtBack("coupon")).toEqual([]);
    await order("back", "m5", 155);
    await aggregateGrowthAll(flow.deps);
    expect(await broughtBack("coupon")).toEqual(["m4", "m5"]); // m5 has the orders of both
    const [tiers] = await flow.deps.db.query<{ gold: bigint; moves: bigint }>(
      `select (select count(*) from growth_customer where tier_uid <> '00000000-0000-0000-0000-000000000000') as gold,
        (select count(*) from growth_customer where moves <> '') as moves`,
    );
    expect(Number(tiers?.gold)).toBeGreaterThan(1);
    expect(Number(tiers?.moves)).toBeGreaterThan(1);
  });

  test("an order that was counted twice changes nothing, and only what changed is looked at", async () => {
    await flow.deps.db.query("select from growth_change");
    expect(await flow.deps.db.query("select from growth_change")).toEqual([]);
    await order("late", "m7", 150);
    while (!(await aggregateSales(flow.deps)));
    const notes = await flow.deps.db.query("select distinct customer_uid from growth_change");
    expect(notes).toHaveLength(1);
    await aggregateGrowthAll(flow.deps);
    await expectRight();
    expect(await broughtBack("coupon")).toEqual(["m4", "m5", "m7"]);
  });

  test("counted anew, and by the months of another time zone, it comes to the same", async () => {
    await rebuildGrowth(flow.deps);
    while (!(await aggregateGrowth(flow.deps, { size: 11 })));
    await aggregateGrowthAll(flow.deps);
    await expectRight();
    await flow.program({ ...GROWTH_PROGRAM, store: { ...GROWTH_PROGRAM.store, time_zone: "Pacific/Honolulu" } });
    await aggregateGrowthAll(flow.deps);
    await expectRight(-10);
    expect(await broughtBack("coupon")).toEqual(["m4", "m5", "m7"]);
  });

  test("a move that a version before 0075 counted, without the month since, is none that verify tells", async () => {
    const { owner } = flow.database;
    expect(await owner.execute("update growth_moved set since = null")).toBeGreaterThan(0);
    await expectRight(-10);
    await rebuildGrowth(flow.deps);
    await aggregateGrowthAll(flow.deps);
    expect(await owner.query("select from growth_moved where since is null")).toEqual([]);
  });

  test("verify tells a sum that is not the customers', a share that is not the customer's, and points that are not the ledger's", async () => {
    await flow.database.owner.query("update growth_month set customers = customers + 1 where figure = 'joined'");
    await flow.database.owner.query("update growth_points set gained = gained + 1");
    await flow.database.owner.query("update growth_customer set orders = 0 where orders = 2");
    await flow.database.owner.query(
      "update growth_moved set month = month - 1 where month = (select max(month) from growth_moved)",
    );
    const lines: string[] = [];
    expect(await verifyGrowth(flow.deps, (text) => lines.push(text))).toBe(false);
    for (const start of ["FAIL figures: growth_month ", "FAIL figures: points of month", "FAIL figures: customer "])
      expect(lines.some((text) => text.startsWith(start))).toBe(true);
    expect(lines.some((text) => /^FAIL figures: customer .* and move of month /.test(text))).toBe(true);
  });
});
