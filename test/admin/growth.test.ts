import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildGrowthStory, GROWTH_PROGRAM } from "../support/growth-story.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

let service: TestService;
let viewer: AdminClient;
beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-01-01T00:00:00Z", program: GROWTH_PROGRAM });
  await buildGrowthStory(service);
  viewer = await signIn(service, "viewer");
});
afterAll(() => service.stop());

describe("growth", () => {
  test("members are counted by month joined, of first order and of lapsing, and by how they order", async () => {
    const { status, body } = await viewer.get("/growth");
    expect(status).toBe(200);
    expect(body.data.customers).toEqual({ all: 4, active: 1, lapsing: 1, once: 1, never: 1 });
    expect(body.data.months).toHaveLength(12);
    expect(body.data.months.slice(0, 4)).toEqual([
      { month: "2026-03", joined: 0, first_ordered: 0, lapsed: 0 },
      { month: "2026-02", joined: 2, first_ordered: 1, lapsed: 1 },
      { month: "2026-01", joined: 2, first_ordered: 2, lapsed: 0 },
      { month: "2025-12", joined: 0, first_ordered: 0, lapsed: 0 },
    ]);
    expect(body.counted_at).toBe("2026-03-01T00:00:00.000000Z");
    expect((await viewer.get("/home")).body.data.lapsing).toEqual({ customers: 1, this_month: 0 });
  });

  test("each figure is that of the list which its conditions find", async () => {
    const manager = await signIn(service, "manager");
    const { data } = (await viewer.get("/growth")).body;
    const { customers, months } = data;
    const figures = [
      [{}, customers.all],
      [{ activity: "active" }, customers.active],
      [{ activity: "lapsing" }, customers.lapsing],
      [{ activity: "once" }, customers.once],
      [{ activity: "never" }, customers.never],
      ...months.flatMap(({ month, joined, first_ordered, lapsed }: Record<string, unknown>) => [
        [{ joined_month: month }, joined],
        [{ first_ordered_month: month }, first_ordered],
        [{ lapsed_month: month }, lapsed],
      ]),
    ];
    for (const [filter, count] of figures) {
      const { body } = await manager.post("/segments/preview", { filter });
      expect({ filter, ...body.data }).toEqual({ filter, customers: count, is_exact: true });
    }
  });

  test("who joined in a month has orders and points", async () => {
    const { status, body } = await viewer.get("/growth/joined");
    expect(status).toBe(200);
    const points = { given: 0, used: 0, expired: 0, adjusted: 0, kept: 0 };
    expect(body.data).toEqual([
      { month: "2026-03", customers: 0, ordered: 0, reordered: 0, ...points },
      { month: "2026-02", customers: 2, ordered: 1, reordered: 1, ...points, given: 190, kept: 190 },
      {
        month: "2026-01",
        customers: 2,
        ordered: 2,
        reordered: 1,
        given: 410, // 10, 30 and 20 by orders, 200 by the interface, three sign-ups of 50: Eve's points are in it
        used: 160, // 50 by the interface, coupons of 10 and 100
        expired: 0,
        adjusted: -50, // Eve's
        kept: 200,
      },
    ]);
  });

  test("tiers over time have who moved up and down and who kept theirs", async () => {
    const { status, body } = await viewer.get("/growth/tiers");
    expect(status).toBe(200);
    expect(body.tiers).toMatchObject([{ name: "Regular" }, { name: "Gold" }]);
    expect(body.data.slice(0, 4)).toEqual([
      { month: "2026-03", customers: [3, 1], up: 0, down: 0, kept: 1, kept_by_tier: [0, 1] },
      { month: "2026-02", customers: [3, 1], up: 1, down: 1, kept: 0, kept_by_tier: [0, 0] },
      { month: "2026-01", customers: [1, 1], up: 1, down: 0, kept: 0, kept_by_tier: [0, 0] },
      { month: "2025-12", customers: [0, 0], up: 0, down: 0, kept: 0, kept_by_tier: [0, 0] },
    ]);
  });

  test("members are set against guests by the store's months, the newest first", async () => {
    const { status, body } = await viewer.get("/growth/guests");
    expect(status).toBe(200);
    expect(body.data).toHaveLength(12);
    const nothing = { orders: 0, revenue_minor: 0 };
    expect(body.data.slice(0, 3)).toEqual([
      { from: "2026-03-01", to: "2026-03-31", customers: nothing, guests: nothing },
      {
        from: "2026-02-01",
        to: "2026-02-28",
        customers: { orders: 2, revenue_minor: 9_000 },
        guests: { orders: 1, revenue_minor: 3_000 },
      },
      { from: "2026-01-01", to: "2026-01-31", customers: { orders: 3, revenue_minor: 6_000 }, guests: nothing },
    ]);
  });

  test("coupons and rewards have what they cost and how many led to an order", async () => {
    const { status, body } = await viewer.get("/results/benefits");
    expect(status).toBe(200);
    const [coupons, signUps, ...others] = body.data;
    const nothing = { benefits: 0, points: 0, returned: 0, cost_minor: 0, used: 0, over: 0, ordered: 0 };
    expect(coupons.kind).toBe("coupon");
    expect(coupons.months).toHaveLength(12);
    expect(coupons.months.slice(0, 3)).toEqual([
      { ...nothing, month: "2026-03" },
      { ...nothing, month: "2026-02" },
      { month: "2026-01", benefits: 3, points: 130, returned: 20, cost_minor: 110, used: 1, over: 3, ordered: 1 },
    ]);
    expect(signUps.kind).toBe("reward-1");
    expect(signUps.months.slice(0, 3)).toEqual([
      { ...nothing, month: "2026-03" },
      { ...nothing, month: "2026-02", benefits: 2, points: 100, cost_minor: 100 }, // their 30 days go on
      { ...nothing, month: "2026-01", benefits: 3, points: 150, cost_minor: 150, over: 3, ordered: 2 },
    ]);
    for (const { months } of others) expect(months[0]).toEqual({ ...nothing, month: "2026-03" });
  });

  test("members lapse as time goes by, without an order", async () => {
    service.clock.set("2026-03-31T00:00:00Z"); // Cat's gap of 19 days and a half, one and a half times
    const later = await signIn(service, "viewer");
    const { body } = await later.get("/growth");
    expect(body.data.customers).toMatchObject({ active: 0, lapsing: 2 });
    expect(body.data.months[0]).toMatchObject({ month: "2026-03", lapsed: 1 });
  });
});
