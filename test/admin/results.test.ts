import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
import type { Queryable } from "../../src/db/pool.ts";
import { applyProgram } from "../../src/program/apply-program.ts";
import { readProgram } from "../../src/program/read-program.ts";
import { aggregateSales } from "../../src/sales/aggregate-sales.ts";
import { readRunTitles } from "../../src/sales/read-run-titles.ts";
import { selectRunResults } from "../../src/sales/result-queries.ts";
import { buildCampaignStory, CAMPAIGN_PROGRAM } from "../support/campaign-story.ts";
import { mergeInto } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

let service: TestService;
let viewer: AdminClient;
beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-03-01T00:00:00Z", program: CAMPAIGN_PROGRAM });
  viewer = await signIn(service, "viewer");
  await buildCampaignStory(service);
});
afterAll(() => service.stop());

describe("results", () => {
  test("a campaign has points, orders, revenue, members and its extra cost, against the same weekdays before", async () => {
    const { status, body } = await viewer.get("/results?kind=campaign");
    expect(status).toBe(200);
    expect(body.data).toHaveLength(2);
    expect(body.data[1]).toMatchObject({ name: "Spring", state: "planned", orders: 0, before: null });
    expect(body.data[0]).toMatchObject({
      name: "Double weekend",
      state: "past",
      orders: 4,
      customers: 2,
      revenue_minor: 12_000,
      points: 60 * 3 + 180 + 150, // three at 2 %, one at 6 %, and 5 % of teas
      extra_points: 30 * 3 + 90,
      extra_cost_minor: 180,
      before: { weeks: 1, orders: 2, revenue_minor: 2_000, points: 20, campaign_orders: 0 },
    });
  });

  test("a result by tier comes in the order of the tiers", async () => {
    const { body } = await viewer.get("/results?kind=campaign");
    const { status, body: one } = await viewer.get(`/results/${body.data[0].id}`);
    expect(status).toBe(200);
    expect(one.data.tiers).toMatchObject([
      { name: "Regular", orders: 3, customers: 1, revenue_minor: 9_000, extra_points: 90 },
      { name: "Gold", orders: 1, customers: 1, revenue_minor: 3_000, extra_points: 90 },
    ]);
  });

  test("a bonus counts its collection's goods", async () => {
    const { body } = await viewer.get("/results?kind=bonus");
    const counted = { orders: 1, customers: 1, revenue_minor: 3_000, points: 150, before: { weeks: 2, orders: 0 } };
    expect(body.data).toMatchObject([{ name: "Fine teas", collection_id: "teas", ...counted }]);
    const { body: order } = await viewer.get("/orders/c1");
    expect(order.data.rules.bonuses).toMatchObject([{ name: "Fine teas", collection_id: "teas" }]);
  });

  test("the list is there as a file, for whom lists are", async () => {
    const support = await signIn(service, "support");
    const [head, ...lines] = (await support.get("/results.csv?kind=campaign")).text.trimEnd().split("\r\n");
    expect(head).toMatch(/^id,kind,name,state,starts_at,ends_at,orders,customers,revenue_minor,points,cost_minor,/);
    expect(lines).toEqual([
      expect.stringMatching(/^\w+,campaign,Double weekend,past,2026-02-14T00:00:00\S+,2026-02-16\S+,4,2,12000,510,/),
      expect.stringMatching(/^\w+,campaign,Spring,planned,2026-04-01T00:00:00\S+,\S+,0,0,0,0,0,0,0,,,,,,$/),
    ]);
    expect(lines[0]).toMatch(/,180,2026-02-07T00:00:00\S+,2026-02-09\S+,2,2000,20,$/);
    expect((await support.get("/results.csv?kind=bonus")).text).toMatch(/\r\n\w+,bonus,Fine teas,.*,teas\r\n$/);
    expect((await viewer.get("/results.csv")).status).toBe(403);
  });

  test("an unknown one is not found, and a bad page is told", async () => {
    expect((await viewer.get(`/results/${"0".repeat(32)}`)).status).toBe(404);
    expect((await viewer.get("/results?after=x")).status).toBe(422);
  });

  test("a customer's page has the orders, the spend and the last order of all time", async () => {
    const { body } = await viewer.get("/customers/1");
    const sales = { orders: 3, revenue_minor: 7_000, last_at: "2026-02-14T03:00:00.000000Z" };
    expect(body.data.sales).toEqual(sales);
    expect((await viewer.get("/customers/2")).body.data.sales).toMatchObject({ orders: 1, revenue_minor: 1_000 });
  });

  test("a customer without an order has none", async () => {
    await service.deps.db.tx((tx) => upsertCustomer(tx, service.deps, { storefrontId: "9", name: "New" }));
    const { body } = await viewer.get("/customers/9");
    expect(body.data.sales).toEqual({ orders: 0, revenue_minor: 0, last_at: null });
  });

  test("the spend of a merged customer counts for the one that is left", async () => {
    await service.deps.db.tx((tx) => upsertCustomer(tx, service.deps, { storefrontId: "10", name: "Left" }));
    await mergeInto(service.deps, "2", "10");
    const { body } = await viewer.get("/customers/10");
    expect(body.data.sales).toMatchObject({ orders: 1, revenue_minor: 1_000, last_at: "2026-02-08T14:50:00.000000Z" });
  });

  test("Home names the campaigns and bonus collections of its period, none that is yet to come", async () => {
    const { body } = await viewer.get("/home?from=2026-02-15&to=2026-04-30");
    expect(body.data.campaigns).toMatchObject([
      { name: "Fine teas", from: "2026-02-15", to: "2026-02-19" },
      { name: "Double weekend", from: "2026-02-15", to: "2026-02-15" },
    ]);
  });

  test("a bonus has its last name, or its collection's, or the id; one without an end is marked where it begins", async () => {
    const bonus = (collection_id: string, name: string | null, starts_at: string | null) => ({
      ...{ collection_id, name, starts_at, ends_at: null },
      ...{ point_value: 1, currency_value: 100 },
    });
    const later = [
      bonus("teas", "Teas of spring", "2026-02-25T00:00:00+09:00"),
      bonus("cups", null, "2026-02-26T00:00:00+09:00"),
      bonus("teas", null, "2026-02-27T00:00:00+09:00"),
      bonus("pots", null, null),
    ];
    for (const bonus_collections of [[bonus("teas", null, null)], later]) {
      const document = { ...CAMPAIGN_PROGRAM, earning: { bonus_collections } };
      await applyProgram(service.deps, { document, author: "test", isDryRun: false });
      await aggregateSales(service.deps);
    }
    const { body } = await viewer.get("/results?kind=bonus");
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual([
      ...["Teas of spring", "cups", "Teas of spring", "pots", "Fine teas"],
    ]);
    const { body: home } = await viewer.get("/home?from=2026-02-24&to=2026-02-28");
    expect(home.data.campaigns).toMatchObject([
      { name: "Teas of spring", from: "2026-02-25", to: "2026-02-28" },
      { name: "cups", from: "2026-02-26", to: "2026-02-28" },
      { name: "Teas of spring", from: "2026-02-27", to: "2026-02-28" },
    ]);
    expect((await viewer.get("/home?from=2026-02-28&to=2026-03-01")).body.data.campaigns).toEqual([]);
  });

  test("what runs comes first, then what is over, then what is planned, the next one before later ones", async () => {
    const campaign = (name: string, from: string, to: string) => ({
      ...{ name, point_value: 3, currency_value: 100 },
      ...{ starts_at: `${from}T00:00:00+09:00`, ends_at: `${to}T00:00:00+09:00` },
    });
    const more = [
      campaign("New Year", "2026-01-01", "2026-01-04"),
      campaign("Long", "2026-02-17", "2026-03-05"),
      campaign("Summer", "2026-07-01", "2026-07-08"),
    ];
    const time = { starts_at: "2026-01-05T00:00:00+09:00", ends_at: "2026-03-01T00:00:00+09:00" };
    const bonus_collections = Array.from({ length: 20 }, (_, n) => {
      return { collection_id: `b${n}`, point_value: 1, currency_value: 100, ...time };
    });
    const campaigns = [...CAMPAIGN_PROGRAM.campaigns, ...more];
    const document = { ...CAMPAIGN_PROGRAM, campaigns, earning: { bonus_collections } };
    await applyProgram(service.deps, { document, author: "test", isDryRun: false });
    await aggregateSales(service.deps);
    const { body } = await viewer.get("/results?kind=campaign");
    expect(body.data.map(({ name, state }: { name: string; state: string }) => [name, state])).toEqual([
      ["Long", "running"],
      ["Double weekend", "past"],
      ["New Year", "past"],
      ["Spring", "planned"],
      ["Summer", "planned"],
    ]);

    const { body: home } = await viewer.get("/home?from=2026-02-18&to=2026-02-28");
    expect(home.data.campaigns).toHaveLength(20);
    expect(home.data.campaigns.at(-1)).toMatchObject({ name: "Long" }); // many bonuses leave out no campaign
  });

  test("what runs of many versions are called is read with one statement", async () => {
    const titles = await service.deps.db.snapshot(async (tx) => {
      const program = await readProgram(tx);
      const runs = await selectRunResults(tx, { kind: null, offset: 0, rows: 100, now: service.clock.now() });
      expect(new Set(runs.map(({ programVersion }) => programVersion)).size).toBe(2);
      const texts: string[] = [];
      const counted: Queryable = {
        query: (text, params) => {
          texts.push(text);
          return tx.query(text, params);
        },
        execute: (text, params) => tx.execute(text, params),
        isDistributed: () => tx.isDistributed(),
      };
      const titled = await readRunTitles(counted, runs, program);
      expect(texts).toHaveLength(1);
      return titled.map(({ title }) => title);
    });
    expect(titles).toEqual(expect.arrayContaining(["Double weekend", "Fine teas", "b0"]));
  });
});
