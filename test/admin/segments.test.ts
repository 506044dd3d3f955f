import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
import { workImports } from "../../src/imports/work-imports.ts";
import { applyOrderEvent } from "../../src/orders/apply-order-event.ts";
import { aggregateSales } from "../../src/sales/aggregate-sales.ts";
import { countSegments } from "../../src/segments/count-segments.ts";
import { aggregateAll } from "../support/aggregate-all.ts";
import { body, line, shipped } from "../support/order-events.ts";
import { ofOrder, YEN_STORE } from "../support/order-flow.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

const NOW = "2026-06-01T00:00:00Z";
const rule = (name: string, requirement: number) => ({ name, currency_spent_requirement: requirement });
const PROGRAM = { ...YEN_STORE, tiers: { rules: [rule("Regular", 0), rule("Gold", 50_000)] } };

/** The orders of each customer: how many days ago, and for how much. */
const PEOPLE = [
  { id: "ann", orders: [], points: 0, tags: ["VIP"], birthday: "1990-03-04", accepts: true, locale: null },
  {
    id: "bob",
    orders: [[100, 1_000]],
    points: 50,
    tags: ["wholesale"],
    birthday: "--03-31",
    accepts: false,
    locale: "en",
  },
  {
    id: "cat",
    orders: [
      [90, 2_000],
      [60, 2_000],
      [2, 2_000],
    ],
    points: 500,
    tags: ["vip", "tea"],
    birthday: null,
    accepts: true,
    locale: "ja-JP",
  },
  {
    id: "dan",
    orders: [
      [300, 9_000],
      [290, 9_000],
      [280, 9_000],
    ],
    points: 1_000,
    tags: [],
    birthday: "1980-12-01",
    accepts: true,
    locale: null,
  },
] as const;

let service: TestService;
let manager: AdminClient;
let gold = "";
beforeAll(async () => {
  service = await startTestService({ worker: false, now: NOW, program: PROGRAM });
  manager = await signIn(service, "manager");
  for (const { id, orders, points, tags, birthday, accepts, locale } of PEOPLE) {
    const profile = {
      storefrontId: id,
      email: `${id}@shop.example`,
      tags: [...tags],
      acceptsMarketing: accepts,
      locale,
    };
    await service.deps.db.tx((tx) =>
      upsertCustomer(tx, service.deps, { ...profile, ...(birthday === null ? {} : { birthday }) }),
    );
    for (const [n, [days, price]] of orders.entries()) {
      const processedAt = Temporal.Instant.from(NOW).subtract({ hours: 24 * days });
      const events = [body(1, [line("a", { price })], { processedAt }), shipped(2, "f", { a: 1 })];
      for (const event of ofOrder(`${id}${n}`, id, events))
        await service.deps.db.tx((tx) => applyOrderEvent(tx, service.deps, event));
    }
    await service.client.post(`/api/storefront/point_balances/${id}/set_balances`, { balance: points });
  }
  await aggregateSales(service.deps);
  await aggregateAll(service.deps);
  gold = (await manager.get("/segments")).body.tiers[1].uid;
});
afterAll(() => service.stop());

let made = 0;

async function found(filter: object): Promise<string[]> {
  const { status, body: saved } = await manager.post("/segments", {
    name: `s ${++made} ${JSON.stringify(filter)}`,
    filter,
  });
  expect(status).toBe(201);
  await countSegments(service.deps);
  const { body: list } = await manager.get(`/segments/${saved.data.uid}/customers`);
  const { body: one } = await manager.get(`/segments/${saved.data.uid}`);
  const { body: preview } = await manager.post("/segments/preview", { filter });
  expect(one.data).toMatchObject({ customers: list.data.length, progress: null });
  expect(preview.data).toEqual({ customers: list.data.length, is_exact: true });
  return list.data.map(({ id }: { id: string }) => id).sort();
}

describe("a segment", () => {
  test.each([
    [{}, ["ann", "bob", "cat", "dan"]],
    [{ spend_min: 6_000 }, ["cat", "dan"]],
    [{ spend_max: 6_000, orders_min: 1 }, ["bob", "cat"]],
    [{ orders_max: 0 }, ["ann"]],
    [{ ordered_within_days: 30 }, ["cat"]],
    [{ not_ordered_for_days: 30 }, ["bob", "dan"]],
    [{ activity: "never" }, ["ann"]],
    [{ activity: "once" }, ["bob"]],
    [{ activity: "active" }, ["cat"]],
    [{ activity: "lapsing" }, ["dan"]],
    [{ points_min: 50, points_max: 500 }, ["bob", "cat"]],
    [{ expiring_within_months: 12 }, []],
    [{ expiring_within_months: 13 }, ["bob", "cat", "dan"]],
    [{ tags: ["Vip"] }, ["ann", "cat"]],
    [{ without_tags: ["tea", "WHOLESALE"] }, ["ann", "dan"]],
    [{ birthday_month: 3 }, ["ann", "bob"]],
    [{ accepts_marketing: false }, ["bob"]],
    [{ language: "ja" }, ["cat"]],
    [{ language: "en" }, ["bob"]],
    [{ language: "und" }, ["ann", "dan"]],
    [{ joined_month: "2026-06" }, ["ann", "bob", "cat", "dan"]],
    [{ joined_month: "2026-05" }, []],
    [{ first_ordered_month: "2026-02" }, ["bob"]],
    [{ first_ordered_month: "2026-03" }, ["cat"]],
    [{ lapsed_month: "2025-09" }, ["dan"]],
    [{ lapsed_month: "2025-08" }, []],
    [{ lapsed_month: "2026-06" }, []],
    [{ tags: ["vip"], points_min: 1 }, ["cat"]],
  ])("finds by %j", async (filter, ids) => {
    expect(await found(filter)).toEqual(ids);
  });

  test("finds the customers that Home counts as active", async () => {
    const { active } = (await manager.get("/home")).body.data;
    const counts = { 30: active.days_30, 90: active.days_90, 365: active.days_365 };
    for (const [days, customers] of Object.entries(counts))
      expect(await found({ active_within_days: Number(days) })).toHaveLength(customers);
    expect(active.days_365).toBeGreaterThan(0);
    const { body } = await manager.post("/segments/preview", { filter: { active_within_days: 0 } });
    expect(body.errors[0].source.pointer).toBe("/filter/active_within_days");
  });

  test("finds by tier, the default one too", async () => {
    await service.client.post("/api/storefront/point_balances/dan/tiers", { tier: gold });
    const regular = (await manager.get("/segments")).body.tiers[0].uid;
    expect(await found({ tiers: [gold] })).toEqual(["dan"]);
    expect(await found({ tiers: [regular] })).toEqual(["ann", "bob", "cat"]);
  });

  test("shows the old list until the new one is complete, and removes it afterwards", async () => {
    const { body: made } = await manager.post("/segments", { name: "Poor", filter: { points_max: 60 } });
    const { body: log } = await manager.get(`/audit?subject_kind=segment&subject_id=${made.data.uid}`);
    expect(log.data[0].subject).toEqual({ kind: "segment", id: made.data.uid, name: "Poor" });
    const path = `/segments/${made.data.uid}`;
    expect((await manager.get(`${path}/customers`)).body.data).toEqual([]);
    await countSegments(service.deps);
    await manager.put(path, { name: "Rich", filter: { points_min: 400 } });
    expect((await manager.get(path)).body.data).toMatchObject({ name: "Rich", customers: 2, progress: 0 });
    await countSegments(service.deps);
    expect((await manager.get(`${path}/customers`)).body.data).toHaveLength(2);
    const rows = await service.deps.db.query("select from segment_customer where segment_uid = $1", [made.data.uid]);
    expect(rows).toHaveLength(2);
    expect((await manager.delete(path)).status).toBe(204);
    await countSegments(service.deps);
    expect(await service.deps.db.query("select from segment_customer where segment_uid = $1", [made.data.uid])).toEqual(
      [],
    );
  });

  test("is made anew every day", async () => {
    const { body: made } = await manager.post("/segments", { name: "Daily", filter: { points_min: 1 } });
    await countSegments(service.deps);
    service.clock.advance({ hours: 25 });
    while ((await countSegments(service.deps)) > 0);
    manager = await signIn(service, "manager");
    const { body: one } = await manager.get(`/segments/${made.data.uid}`);
    expect(one.data.counted_at).toBe("2026-06-02T01:00:00.000000Z");
  });

  test("is made anew where a clock that was ahead requested the last one", async () => {
    const { db, clock } = service.deps;
    await db.execute("update segment set asked_at = $1 where name = 'Daily'", [clock.now().add({ hours: 24 * 365 })]);
    expect(await countSegments(service.deps)).toBeGreaterThan(0);
    const [daily] = await db.query<{ askedAt: object }>(
      `select asked_at as "askedAt" from segment where name = 'Daily'`,
    );
    expect(daily?.askedAt).toEqual(clock.now());
    expect(await countSegments(service.deps)).toBe(0);
  });

  test("refuses what it cannot find, and a name twice", async () => {
    const bad = await manager.post("/segments", { name: "x", filter: { spend_min: -1, colour: "red" } });
    expect(bad.status).toBe(422);
    expect((await manager.post("/segments", { name: "twice", filter: {} })).status).toBe(201);
    const twice = await manager.post("/segments", { name: "TWICE", filter: {} });
    expect(twice.body.errors[0]).toMatchObject({ source: { pointer: "/name" } });
    const viewer = await signIn(service, "viewer");
    expect((await viewer.post("/segments", { name: "y", filter: {} })).status).toBe(403);
  });
});

describe("a bulk action", () => {
  test("gives points to a segment as an import, which is started and undone", async () => {
    const { body: made } = await manager.post("/segments", { name: "Tea", filter: { tags: ["vip"] } });
    await countSegments(service.deps);
    const action = { segment: made.data.uid, points: 70, reason_type: "reward", note: "Thank you" };
    const { status, body: answer } = await manager.post("/bulk/points", action);
    expect(status).toBe(201);
    const path = `/imports/${answer.data.import}`;
    await workImports(service.deps);
    const checked = (await manager.get(path)).body.data;
    expect(checked).toMatchObject({
      state: "checked",
      file_name: "Tea: +70.csv",
      check: { good_count: 2, fault_count: 0, points_added: 140 },
    });
    expect((await manager.post("/bulk/points", action)).status).toBe(409);
    expect((await manager.post(`${path}/start`)).status).toBe(200);
    await workImports(service.deps);
    expect(await points("ann")).toBe(70);
    expect(await points("cat")).toBe(570);
    await manager.post(`${path}/undo`);
    await workImports(service.deps);
    expect(await points("ann")).toBe(0);
  });

  test("moves chosen customers to a tier", async () => {
    const { body: answer } = await manager.post("/bulk/tier", { customers: ["bob", "ann", "bob"], tier: gold });
    await workImports(service.deps);
    await manager.post(`/imports/${answer.data.import}/start`);
    await workImports(service.deps);
    expect(await found({ tiers: [gold] })).toEqual(["ann", "bob", "dan"]);
  });

  test("gives selected customers the same again when it is requested again, and not when one request is repeated", async () => {
    const action = { customers: ["bob"], points: 5, reason_type: null, note: null };
    const before = await points("bob");
    for (const request_uid of [crypto.randomUUID(), crypto.randomUUID()]) {
      const { status, body: answer } = await manager.post("/bulk/points", { ...action, request_uid });
      expect(status).toBe(201);
      await workImports(service.deps);
      expect((await manager.post("/bulk/points", { ...action, request_uid })).status).toBe(409);
      const path = `/imports/${answer.data.import}`;
      expect((await manager.get(path)).body.data.file_name).toBe("1 customer: +5.csv");
      await manager.post(`${path}/start`);
      await workImports(service.deps);
    }
    expect(await points("bob")).toBe(before + 10);
  });

  test("refuses no source, an empty segment, no points, and a tier that there is not", async () => {
    const base = { points: 1, reason_type: null, note: null };
    expect((await manager.post("/bulk/points", base)).body.errors[0]).toMatchObject({
      source: { pointer: "/segment" },
    });
    const { body: made } = await manager.post("/segments", { name: "None", filter: { points_min: 99_999 } });
    const uncounted = await manager.post("/bulk/points", { ...base, segment: made.data.uid });
    expect(uncounted.body.errors[0].detail).toBe("expected a segment that is counted");
    await countSegments(service.deps);
    const empty = await manager.post("/bulk/points", { ...base, segment: made.data.uid });
    expect(empty.body.errors[0].detail).toBe("expected a segment with customers");
    const zero = await manager.post("/bulk/points", { ...base, points: 0, customers: ["ann"] });
    expect(zero.body.errors[0]).toMatchObject({ source: { pointer: "/points" } });
    const tier = await manager.post("/bulk/tier", { customers: ["ann"], tier: "00000000-0000-4000-8000-000000000000" });
    expect(tier.body.errors[0]).toMatchObject({ source: { pointer: "/tier" } });
  });

  test("a segment's file has its customers", async () => {
    const { body: made } = await manager.post("/segments", { name: "File", filter: { orders_min: 3 } });
    await countSegments(service.deps);
    const file = await manager.get(`/segments/${made.data.uid}/customers.csv`);
    expect(file.status).toBe(200);
    const lines = String(file.text).split("\r\n").slice(1, -1).sort();
    expect(lines.map((text) => text.slice(0, 3))).toEqual(["cat", "dan"]);
    expect(lines[0]).toContain("cat@shop.example,Regular,500,3,6000,");
  });
});

async function points(id: string): Promise<number> {
  return (await service.client.get(`/api/storefront/point_balances/${id}`)).body.data.point_balance;
}
