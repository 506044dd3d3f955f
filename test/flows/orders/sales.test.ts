import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDice } from "../../../demo/season/dice.ts";
import { MIGRATIONS_DIR } from "../../../src/db/migration-files.ts";
import type { OrderEvent } from "../../../src/orders/facts/merge-facts.ts";
import { aggregateSales } from "../../../src/sales/aggregate-sales.ts";
import { rebuildSales } from "../../../src/sales/rebuild-sales.ts";
import { verifySales } from "../../../src/sales/verify-sales.ts";
import { mergeInto } from "../../support/customers.ts";
import { body, cancelled, line, refunded, shipped } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";

const ORDERS = 60;
const CUSTOMERS = 8;
const CAMPAIGN = { from: "2026-02-10T00:00:00Z", to: "2026-02-13T10:07:00Z" };
const TEAS = { from: "2026-02-12T00:00:00Z", to: "2026-02-20T00:00:00Z" };
const PROGRAM = {
  earning: {
    rounding: "down",
    bonus_collections: [{ collection_id: "teas", point_value: 3, starts_at: TEAS.from, ends_at: TEAS.to }],
  },
  campaigns: [
    {
      name: "Double",
      starts_at: CAMPAIGN.from,
      ends_at: CAMPAIGN.to,
      point_value: 2,
      currency_value: 100,
      by_tier: {},
    },
  ],
};

/** What a shopper did, in the test's own words. */
interface Bought {
  readonly id: string;
  customer: string | null;
  readonly at: string;
  readonly tea: number;
  readonly cup: number;
  isCancelled: boolean;
  isCupReturned: boolean;
}

let flow: OrderFlow;
const dice = createDice(20_260_218);
const bought: Bought[] = [];
beforeAll(async () => {
  flow = await startOrderFlow({ program: PROGRAM });
  for (let n = 0; n < CUSTOMERS; n++) await flow.customer(`c${n}`, { email: `c${n}@shop.example` });
});
afterAll(() => flow.stop());

function eventsOf({ id, customer, at, tea, cup }: Bought): OrderEvent[] {
  const processedAt = Temporal.Instant.from(at);
  const lines = [
    { ...line("tea", { price: tea }), collections: ["teas"] },
    { ...line("cup", { price: cup }), collections: [] },
  ];
  return ofOrder(id, customer, [body(1, lines, { processedAt, email: null }), shipped(2, "f", { tea: 1, cup: 1 })]);
}

async function buySome(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const order: Bought = {
      id: `o${bought.length}`,
      customer: dice.chance(0.2) ? null : `c${dice.below(CUSTOMERS)}`,
      at: `2026-02-${String(8 + dice.below(14)).padStart(2, "0")}T${String(dice.below(24)).padStart(2, "0")}:${String(dice.below(60)).padStart(2, "0")}:00Z`,
      tea: 100 + dice.below(3_000),
      cup: 100 + dice.below(3_000),
      isCancelled: false,
      isCupReturned: false,
    };
    bought.push(order);
    await flow.take(...eventsOf(order));
  }
}

async function changeSome(): Promise<void> {
  for (const order of bought) {
    if (!order.isCancelled && dice.chance(0.15)) {
      order.isCancelled = true;
      await flow.take(...ofOrder(order.id, order.customer, [cancelled(10)]));
    } else if (!order.isCupReturned && dice.chance(0.15)) {
      order.isCupReturned = true;
      const words = { lines: [["cup", 1, order.cup]], moved: order.cup } as const;
      await flow.take(...ofOrder(order.id, order.customer, [refunded(11, "r", words)]));
    }
  }
}

const within = (at: string, { from, to }: { from: string; to: string }) => at >= from && at < to;
const points = (money: number, rate: number) => Math.floor((money * rate) / 100);

/** The results of a run by hand, from what was bought. */
function expected(run: "campaign" | "bonus") {
  const live = bought.filter(({ isCancelled }) => !isCancelled);
  const own = live.filter(({ at }) => within(at, run === "campaign" ? CAMPAIGN : TEAS));
  const sum = (of: (order: Bought) => number) => own.reduce((total, order) => total + of(order), 0);
  const goods = ({ tea, cup, isCupReturned }: Bought) => tea + (isCupReturned ? 0 : cup);
  const bonus = (order: Bought) => (within(order.at, TEAS) ? points(order.tea, 3) : 0);
  const customers = new Set(own.flatMap(({ customer }) => customer ?? [])).size;
  return run === "campaign"
    ? {
        orders: own.length,
        customers,
        revenue: sum(goods),
        points: sum((order) => points(goods(order), 2) + bonus(order)),
        extra: sum((order) => points(goods(order), 2) - points(goods(order), 1)),
      }
    : { orders: own.length, customers, revenue: sum(({ tea }) => tea), points: sum(bonus), extra: sum(bonus) };
}

async function counted(kind: "campaign" | "bonus") {
  const [row] = await flow.deps.db.query<Record<string, bigint | string>>(
    `select s.orders, s.customers, s.revenue::text as revenue, s.points::text as points, s.extra::text as extra
    from sale_result s
    join sale_run r on r.run = s.run
    where r.kind = $1 and s.tier_uid = '00000000-0000-0000-0000-000000000000'`,
    [kind],
  );
  return Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [name, Number(value)]));
}

async function buyers(): Promise<Map<string, string>> {
  const rows = await flow.deps.db.query<{ id: string; orders: bigint; revenue: string; lastAt: Temporal.Instant }>(
    `select c.storefront_id as id, b.orders, b.revenue::text as revenue, b.last_at as "lastAt"
    from sale_buyer b
    join customer c on c.customer_uid = b.customer_uid`,
  );
  return new Map(rows.map(({ id, orders, revenue, lastAt }) => [id, `${orders} ${revenue} ${lastAt}`]));
}

function expectedBuyers(): Map<string, string> {
  const live = bought.filter(({ isCancelled, customer }) => !isCancelled && customer !== null);
  return new Map(
    [...Map.groupBy(live, ({ customer }) => customer ?? "")].map(([id, own]) => {
      const revenue = own.reduce((sum, { tea, cup, isCupReturned }) => sum + tea + (isCupReturned ? 0 : cup), 0);
      const last = own
        .map(({ at }) => at)
        .sort()
        .at(-1);
      return [id, `${own.length} ${revenue} ${last}`];
    }),
  );
}

async function expectRight(): Promise<void> {
  const lines: string[] = [];
  expect({ isRight: await verifySales(flow.deps, (text) => lines.push(text)), lines }).toMatchObject({ isRight: true });
  expect(await counted("campaign")).toEqual(expected("campaign"));
  expect(await counted("bonus")).toEqual(expected("bonus"));
  expect(new Map([...(await buyers())].sort())).toEqual(new Map([...expectedBuyers()].sort()));
}

describe("what orders come to", () => {
  test("is counted as they come, in steps of any size, by several at once", async () => {
    await buySome(ORDERS);
    await Promise.all([
      aggregateSales(flow.deps, { size: 7, steps: 3 }),
      aggregateSales(flow.deps, { size: 5, steps: 4 }),
    ]);
    while (!(await aggregateSales(flow.deps, { size: 9 })));
    await expectRight();
    expect((await counted("campaign"))["orders"]).toBeGreaterThan(3);
  });

  test("follows cancellations, refunds and late orders", async () => {
    await changeSome();
    await buySome(10);
    while (!(await aggregateSales(flow.deps, { size: 6 })));
    await expectRight();
  });

  test("is nothing for an order whose payment was voided before anything was paid, until it is paid", async () => {
    const lines = [line("cup", { price: 500 })];
    const processedAt = Temporal.Instant.from("2026-02-02T00:00:00Z");
    const saleCount = async () => {
      while (!(await aggregateSales(flow.deps, { size: 6 })));
      return (await flow.deps.db.query("select from sale where order_id = 'unpaid'")).length;
    };
    const say = (at: number, more: object) =>
      flow.take(...ofOrder("unpaid", "c3", [body(at, lines, { processedAt, paid: false, ...more })]));
    await say(1, {});
    expect(await saleCount()).toBe(1);
    await say(2, { financialStatus: "voided" });
    expect(await saleCount()).toBe(0);
    await say(3, { paid: true });
    expect(await saleCount()).toBe(1);
    await flow.take(...ofOrder("unpaid", "c3", [cancelled(4)]));
    expect(await saleCount()).toBe(0);
  });

  test("goes along when customers are merged", async () => {
    await mergeInto(flow.deps, "c1", "c2");
    for (const order of bought) if (order.customer === "c1") order.customer = "c2";
    await aggregateSales(flow.deps);
    await expectRight();
  });

  test("a campaign that left the program keeps its result, and a collection with a first bonus is counted back", async () => {
    await flow.program({
      campaigns: [],
      earning: { bonus_collections: [{ collection_id: "cups", point_value: 1, starts_at: "2026-04-01T00:00:00Z" }] },
    });
    while (!(await aggregateSales(flow.deps, { size: 20 })));
    expect(await counted("campaign")).toEqual(expected("campaign"));
    const [teas] = await flow.deps.db.query<{ revenue: string }>(
      "select sum(revenue)::text as revenue from sale_collection where collection_id = 'teas'",
    );
    const live = bought.filter(({ isCancelled }) => !isCancelled);
    expect(Number(teas?.revenue)).toBe(live.reduce((sum, { tea }) => sum + tea, 0));
  });

  test("counted anew it comes to the same", async () => {
    await rebuildSales(flow.deps);
    while (!(await aggregateSales(flow.deps, { size: 11 })));
    await expectRight();
  });

  test("is compared once more after an upgrade to 0085, since earlier versions computed some orders otherwise", async () => {
    const { owner } = flow.database;
    // An order that changes without a trigger is like one that another version computes otherwise.
    await owner.query("alter table store_order disable trigger store_order_written");
    await owner.query(
      "update store_order set awarded_points = awarded_points + 1 where order_id = (select min(order_id) from sale)",
    );
    await owner.query("alter table store_order enable trigger store_order_written");
    const verify = () => verifySales(flow.deps, () => {});
    while (!(await aggregateSales(flow.deps)));
    expect(await verify()).toBe(false);

    await owner.query(await readFile(join(MIGRATIONS_DIR, "0085_sales_walked_again.sql"), "utf8"));
    expect(await verify()).toBe(true); // orders are not compared meanwhile
    while (!(await aggregateSales(flow.deps, { size: 11 })));
    expect(await verify()).toBe(true);
  });

  test("verify tells a sum that is not the sales', and a sale that is not the order's", async () => {
    await flow.database.owner.query("update sale_result set extra = extra + 1");
    await flow.database.owner.query("update sale set revenue = revenue + 1 where order_id = 'o0'");
    const lines: string[] = [];
    expect(await verifySales(flow.deps, (text) => lines.push(text))).toBe(false);
    expect(lines.some((text) => text.startsWith("FAIL figures: run "))).toBe(true);
  });
});
