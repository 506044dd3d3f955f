import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expirePoints } from "../../src/ledger/expiry/expire-points.ts";
import { aggregateCustomers } from "../../src/metrics/aggregate-customers.ts";
import { countStoreCustomers } from "../../src/metrics/count-store-customers.ts";
import { renewCustomerCount } from "../../src/metrics/renew-customer-count.ts";
import { applyProgram } from "../../src/program/apply-program.ts";
import { formatInstant } from "../../src/time/store-time.ts";
import { aggregateAll } from "../support/aggregate-all.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn, signInAs } from "../support/staff.ts";

let service: TestService;
let viewer: AdminClient;
const ids: string[] = [];
beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-03-01T00:30:00Z" });
  viewer = await signIn(service, "viewer");
});
afterAll(() => service.stop());

async function allot(id: string, pointValue: number): Promise<void> {
  const body = { customer_id: id, point_value: pointValue };
  expect((await service.client.post("/api/storefront/point_allotments", body)).status).toBe(200);
}

/** A session ends when the clock has gone on for weeks. */
const viewerNow = () => signInAs(service.url, viewer);

async function home(query = "") {
  const { status, body } = await (await viewerNow()).get(`/home${query}`);
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
  return body.data;
}

async function work(): Promise<void> {
  await aggregateAll(service.deps);
  await countStoreCustomers(service.deps);
}

const NO_POINTS = { issued: 0, spent: 0, expired: 0, refunded: 0, returned: 0, adjusted: 0 };

describe("home", () => {
  test("a new store has nothing, and is told what it has not done yet", async () => {
    const data = await home();
    expect(data).toMatchObject({
      from: "2026-01-31",
      to: "2026-03-01",
      before: { from: "2026-01-01", to: "2026-01-30" },
      as_of: null,
      outstanding: { points: 0, before: 0, worth_minor: 0 },
      totals: NO_POINTS,
      redemption_rate: null,
      customers: null,
      setup: { has_program: false, has_events: false, has_customers: false, has_points: false },
      health: { deliveries_failed: 0, jobs_troubled: 0, receipts_failed: 0 },
    });
    expect(data.days).toHaveLength(30);
    expect(data.expiring.months.map(({ month }: { month: string }) => month)[11]).toBe("2027-02");
  });

  test("the checklist: what is done is found, what is right as it is can be confirmed by a manager and taken back", async () => {
    const stepOf = async (step: string) =>
      (await home()).setup.steps.find((one: { step: string }) => one.step === step);
    expect(await stepOf("rate")).toEqual({ step: "rate", is_done: false, is_confirmed: false });
    const refused = await (await viewerNow()).put("/home/setup/rate", { confirmed: true });
    expect(refused.status).toBe(403);
    const manager = await signIn(service, "manager");
    expect((await manager.put("/home/setup/rate", { confirmed: true })).status).toBe(200);
    expect((await manager.put("/home/setup/rate", { confirmed: true })).status).toBe(200);
    expect(await stepOf("rate")).toEqual({ step: "rate", is_done: true, is_confirmed: true });
    expect((await manager.put("/home/setup/rate", { confirmed: false })).status).toBe(200);
    expect(await stepOf("rate")).toEqual({ step: "rate", is_done: false, is_confirmed: false });
    expect((await manager.put("/home/setup/else", { confirmed: true })).status).toBe(422);
    const { body } = await manager.get("/audit");
    const actions = body.data.map(({ action }: { action: string }) => action);
    expect(actions.filter((action: string) => action.startsWith("setup."))).toEqual([
      "setup.step_reopened",
      "setup.step_confirmed",
    ]);
  });

  test("points by day and over the period, beside the period before, and what is outstanding at each day's end", async () => {
    for (let n = 0; n < 3; n++) ids.push((await makeCustomer(service.deps)).storefrontId);
    const [a = "", b = "", c = ""] = ids;
    await allot(a, 500); // 1 March in Tokyo
    service.clock.set("2026-03-10T14:59:00Z"); // still the 10th
    await allot(b, 300);
    service.clock.set("2026-03-10T15:01:00Z"); // the 11th
    await allot(a, -200);
    await allot(c, 100);
    service.clock.set("2026-03-12T00:00:00Z");
    await work();
    const data = await home("?from=2026-03-10&to=2026-03-12");
    expect(data.totals).toEqual({ ...NO_POINTS, issued: 400, spent: 200 });
    expect(data.totals_before).toEqual(NO_POINTS);
    expect(data.redemption_rate).toBe(0.5);
    expect(data.outstanding).toEqual({ points: 700, before: 500, worth_minor: 700 });
    expect(data.days).toEqual([
      { day: "2026-03-10", ...NO_POINTS, issued: 300, outstanding: 800 },
      { day: "2026-03-11", ...NO_POINTS, issued: 100, spent: 200, outstanding: 700 },
      { day: "2026-03-12", ...NO_POINTS, outstanding: 700 },
    ]);
    const later = await home("?from=2026-03-04&to=2026-03-06");
    expect(later.totals_before).toEqual({ ...NO_POINTS, issued: 500 });
    expect(later.days_before).toEqual([
      { day: "2026-03-01", ...NO_POINTS, issued: 500, outstanding: 500 },
      { day: "2026-03-02", ...NO_POINTS, outstanding: 500 },
      { day: "2026-03-03", ...NO_POINTS, outstanding: 500 },
    ]);
    expect(await home("?preset=last_month")).toMatchObject({
      from: "2026-02-01",
      to: "2026-02-28",
      before: { from: "2026-01-01", to: "2026-01-31" },
    });
  });

  test("active customers, tiers and expected expiries follow what happens", async () => {
    const before = await home();
    expect(before.active).toEqual({ days_30: 3, days_90: 3, days_365: 3 });
    expect(before.customers).toMatchObject({ count: 3, tiers: [{ is_default: true, customers: 3 }] });
    const points = (data: typeof before, month: string) =>
      data.expiring.months.find((entry: { month: string }) => entry.month === month)?.points;
    expect(before.expiring.is_complete).toBe(true);
    expect(points(before, "2027-03")).toBeUndefined(); // the 13th month
    service.clock.set("2026-05-20T00:00:00Z");
    await allot(ids[1] ?? "", 50);
    await work();
    const later = await home();
    expect(later.active).toEqual({ days_30: 1, days_90: 3, days_365: 3 });
    expect(points(later, "2027-03")).toBe(400);
    service.clock.set("2027-04-01T00:00:00Z");
    await expirePoints(service.deps);
    await work();
    const last = await home("?from=2027-03-01&to=2027-04-01");
    expect(last.totals.expired).toBe(400);
    expect(points(last, "2027-05")).toBe(350);
  });

  test("the count of customers follows the store's clock, and a small store's follows its customers", async () => {
    const { deps, clock } = service;
    const shown = async () => (await home()).customers;
    await makeCustomer(deps);
    expect(await renewCustomerCount(deps)).toBe(true);
    const { count } = await shown();
    expect(count).toBe(4);
    await deps.db.execute("update figure_count set customers = 10000");
    expect(await renewCustomerCount(deps)).toBe(false);
    clock.advance({ minutes: 16 });
    expect(await renewCustomerCount(deps)).toBe(true);
    expect(await shown()).toMatchObject({ count, counted_at: formatInstant(clock.now()) });
  });

  test("other settings date the points anew; until everybody was looked at that is said", async () => {
    const expiration = { delay_months: 24 };
    await applyProgram(service.deps, { document: { expiration }, author: "test", isDryRun: false });
    await aggregateCustomers(service.deps, { size: 1, steps: 1 });
    expect((await home()).expiring.is_complete).toBe(false);
    await work();
    const { expiring } = await home();
    expect(expiring.is_complete).toBe(true);
    expect(expiring.months.reduce((sum: number, { points }: { points: number }) => sum + points, 0)).toBe(0);
  });

  test("a period that is none is refused by its parameter", async () => {
    const { status, body } = await (await viewerNow()).get("/home?from=2026-03-09&to=2026-03-01");
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([
      { source: { parameter: "to" }, detail: "expected a day at or after 2026-03-09" },
    ]);
  });

  test("what needs somebody is counted", async () => {
    const { db } = service.deps;
    await db.execute(
      "insert into subscription (topic, uid, callback_url, activated_at, secret_sealed, failures) values ('point_balance/update', gen_random_uuid(), 'http://127.0.0.1:1/', now(), '', 5)",
    );
    await db.execute(
      `insert into delivery (bucket, uid, subscription_uid, state, attempts, due_at)
       select 1, gen_random_uuid(), s.uid, d.state, d.attempts, now()
       from subscription s, (values ('failed', 21), ('waiting', 2), ('waiting', 0)) as d (state, attempts)`,
    );
    await db.execute(
      `insert into job_plan (name, position, timing)
       values ('count customers', 1, 'machine'), ('prune receipts', 2, 'machine'), ('prune exports', 3, 'machine')`,
    );
    await db.execute(
      `insert into job (name, ready_at, lease_until, failures_in_row)
       values ('count customers', now(), null, 2),
         ('prune receipts', now() - interval '1 hour', now() - interval '1 hour', 0),
         ('prune exports', now() - interval '1 hour', now() + interval '1 hour', 0)`,
    );
    expect((await home()).health).toEqual({
      deliveries_failed: 1,
      deliveries_retried: 1,
      receivers_dead: 1,
      jobs_troubled: 2,
      receipts_failed: 0,
      receipts_waiting: 0,
      replica: null,
      backup: null,
      approvals_waiting: 0,
      orders_no_program: 0,
      orders_other_currency: 0,
      orders_no_customer: 0,
      orders_to_judge: 0,
      disk: null,
      ledger_breaches: 0,
    });
  });

  test("nobody without a session sees it", async () => {
    expect((await service.client.as(null).get("/admin/api/home")).status).toBe(401);
  });
});
