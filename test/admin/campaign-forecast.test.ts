import { afterAll, beforeAll, expect, test } from "vitest";
import { forecastCampaign } from "../../src/orders/forecast/forecast-campaign.ts";
import { readProgram } from "../../src/program/read-program.ts";
import { updateTier } from "../../src/tiers/update-tier.ts";
import { body, cancelled, line, minute } from "../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../support/order-flow.ts";
import { sale } from "../support/order-sale.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

const rate = (point_value: number) => ({ point_value, currency_value: 100 });
const TIERS = [
  { name: "Bronze", default: true, currency_spent_requirement: 0, ...rate(1) },
  { name: "Gold", default: false, currency_spent_requirement: 500_000, ...rate(3) },
];
const DAY = 24 * 60;

let flow: OrderFlow;
let manager: AdminClient;

// minute(0) is Sunday, 1 March, 9:00 in Tokyo
beforeAll(async () => {
  flow = await startOrderFlow({
    now: "2026-03-11T00:00:00Z",
    program: {
      store: { currency: "JPY", time_zone: "Asia/Tokyo" },
      tiers: { rules: TIERS },
      coupons: { point_worth: 2 },
    },
  });
  manager = await signIn(flow, "manager");
  for (const id of ["mina", "rin", "far"]) await flow.customer(id);
  await flow.deps.db.tx((tx) =>
    updateTier(tx, flow.deps, "rin", {
      update: { tier: "Gold", minimumTier: undefined, skipNextCheck: undefined },
      cause: { cause: "api", actor: null },
    }),
  );
  const on = (at: number) => ({ processedAt: minute(at) });
  const sunday = 7 * DAY; // 8 March
  await flow.take(...sale("a", "mina", 10_000, on(sunday)));
  await flow.take(...sale("b", "mina", 5_050, on(sunday + 60)));
  await flow.take(...sale("c", "rin", 20_000, on(sunday + 120)));
  await flow.take(...sale("d", "rin", 99_000, on(sunday + 180)), ...ofOrder("d", "rin", [cancelled(sunday + 181)]));
  await flow.take(...sale("e", null, 70_000, on(sunday + 240)));
  await flow.take(...sale("f", "far", 80_000, on(sunday + DAY))); // on Monday
});
afterAll(() => flow.stop());

async function forecastOf(
  campaign: Readonly<Record<string, unknown>> & { readonly starts_at: string },
  more: object = {},
) {
  const { version } = (await manager.get("/program")).body.data;
  const document = { campaigns: [{ name: "Double Sunday", by_tier: {}, ...campaign }] };
  const { starts_at } = campaign;
  return manager.post("/program/forecast", { document, base_version: version, starts_at, ...more });
}

/** Replays orders until the time limit, which `isOver` stands for. */
async function replay(
  days: { readonly starts_at: string; readonly ends_at: string },
  isOver: () => boolean,
  excludedProductTags: readonly string[] = [],
) {
  const { deps } = flow;
  const { earning, ...others } = await readProgram(deps.db);
  const program = { ...others, earning: { ...earning, excludedProductTags } };
  const [startsAt, endsAt] = [Temporal.Instant.from(days.starts_at), Temporal.Instant.from(days.ends_at)];
  const campaign = { name: "x", startsAt, endsAt, rate: { pointValue: 2n, currencyValue: 100n }, byTier: new Map() };
  return deps.db.snapshot((tx) =>
    forecastCampaign(tx, deps, { program: { ...program, campaigns: [campaign] }, campaign }, isOver),
  );
}

const SUNDAY = { starts_at: "2026-03-14T15:00:00Z", ends_at: "2026-03-15T15:00:00Z" };

test("the last Sunday's orders are replayed: points without and with, by tier, worth and members", async () => {
  const { tiers } = (await manager.get("/program")).body.data.document;
  const gold = tiers.rules.find(({ name }: { name: string }) => name === "Gold").uid;
  const { status, body } = await forecastOf({ ...SUNDAY, ...rate(2), by_tier: { [gold]: rate(6) } });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    ...{ from: "2026-03-07T15:00:00.000000Z", to: "2026-03-08T15:00:00.000000Z" },
    ...{ orders_of_days: 5, looked_at: 5, times: 1 },
    customers: 2,
    points_without: 100 + 51 + 600,
    points_with: 200 + 101 + 1_200,
    worth_more: 2 * (1_501 - 751),
  });
  expect(body.data.tiers).toEqual([
    { name: "Bronze", orders: 2, customers: 1, points_without: 151, points_with: 301 },
    { name: "Gold", orders: 2, customers: 1, points_without: 600, points_with: 1_200 },
  ]);
});

test("the forecast is of the chosen campaign, in whatever order the document has them", async () => {
  const later = {
    name: "Later",
    by_tier: {},
    ...rate(5),
    starts_at: "2026-05-01T00:00:00Z",
    ends_at: "2026-05-11T00:00:00Z",
  };
  const chosen = { name: "Double Sunday", by_tier: {}, ...SUNDAY, ...rate(2) };
  const alone = (await forecastOf(chosen)).body.data;
  for (const campaigns of [
    [later, chosen],
    [chosen, later],
  ]) {
    expect((await forecastOf(chosen, { document: { campaigns } })).body.data).toEqual(alone);
  }
});

test("one rate for all takes from Gold, and the forecast says so", async () => {
  const { data } = (await forecastOf({ ...SUNDAY, ...rate(2) })).body;
  expect(data.tiers[1]).toMatchObject({ points_without: 600, points_with: 400 });
});

test("a campaign of four weeks is twice what two weeks were; its members are those of the days", async () => {
  const long = { starts_at: "2026-03-14T15:00:00Z", ends_at: "2026-04-11T15:00:00Z", ...rate(2) };
  const { data } = (await forecastOf(long)).body;
  expect(data).toMatchObject({ times: 2, looked_at: data.orders_of_days });
  const short = (await forecastOf({ ...long, ends_at: "2026-03-28T15:00:00Z" })).body.data;
  expect(data.points_with).toBe(2 * short.points_with);
  expect(data.customers).toBe(short.customers);
});

test("a forecast that its time limit ends is of all days, not of the first ones", async () => {
  const tuesday = 2 * DAY; // 3 March
  for (let n = 0; n < 15; n++) {
    await flow.take(...sale(`first${n}`, "mina", 100, { processedAt: minute(tuesday + n) }));
    await flow.take(...sale(`second${n}`, "mina", 10_000, { processedAt: minute(tuesday + DAY + n) }));
  }
  let looks = 0;
  const days = { starts_at: "2026-03-16T15:00:00Z", ends_at: "2026-03-18T15:00:00Z" };
  const forecast = await replay(days, () => ++looks > 10);
  expect(forecast).toMatchObject({ ordersOfDays: 30, lookedAt: 11, orders: 11 });
  const ofSecond = forecast.pointsWithout / 100n; // an order of the second day has 100 points, one of the first has 1
  expect([ofSecond >= 2n, ofSecond <= 9n]).toEqual([true, true]);
});

test("customers with several orders are not counted several times when a sample is replayed", async () => {
  const forecast = await replay(SUNDAY, () => true);
  expect(forecast).toMatchObject({ ordersOfDays: 5, lookedAt: 1, orders: 1 });
  expect(forecast.customers).toBe(3); // one of a customer's two orders stands for half a customer of 5 orders: 2.5, and not 5
});

test("an order that has not awarded yet is replayed with what is known of its products now", async () => {
  const processedAt = minute(5 * DAY); // Friday, 6 March
  await flow.take(
    ...ofOrder("g", "mina", [body(5 * DAY, [line("a", { price: 1_000, productId: "late" })], { processedAt })]),
  );
  await flow.client.put("/api/storefront/products/late", { tags: ["no-points"] });
  const friday = { starts_at: "2026-03-19T15:00:00Z", ends_at: "2026-03-20T15:00:00Z" };
  expect(await replay(friday, () => false)).toMatchObject({ orders: 1, pointsWithout: 10n, pointsWith: 20n });
  expect(await replay(friday, () => false, ["no-points"])).toMatchObject({
    orders: 1,
    pointsWithout: 0n,
    pointsWith: 0n,
  });
});

test("it writes nothing, and refuses what it cannot read", async () => {
  expect((await forecastOf({ ...SUNDAY, ...rate(2) }, { starts_at: "2026-03-01T00:00:00Z" })).status).toBe(422);
  expect((await forecastOf({ ...SUNDAY, ends_at: SUNDAY.starts_at, ...rate(2) })).status).toBe(422);
  const viewer = await signIn(flow, "viewer");
  expect(
    (await viewer.post("/program/forecast", { document: {}, base_version: 1, starts_at: SUNDAY.starts_at })).status,
  ).toBe(403);
  expect((await manager.get("/program")).body.data.document.campaigns).toEqual([]);
});
