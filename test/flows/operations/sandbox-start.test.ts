import { afterEach, beforeEach, expect, test } from "vitest";
import { runJob } from "../../../src/jobs/run-job.ts";
import { JOBS } from "../../../src/jobs/schedule.ts";
import { applyProgram } from "../../../src/program/apply-program.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const API = "/api/storefront";
const START = "1997-07-01T00:00:00Z";

let service: TestService;
beforeEach(async () => {
  service = await startTestService({ config: { sandbox: true } });
});
afterEach(() => service.stop());

const setClock = (now: string) => service.client.put("/sandbox/clock", { now });

/** An order of 10,000 yen, paid and shipped at one time. */
async function sell(order_id: string, customer_id: string, at: string): Promise<void> {
  const lines = [{ line_id: "1", quantity: 1, unit_price: { minor: 10_000, currency: "JPY" } }];
  const payload = { order_id, customer_id, shop_currency: "JPY", taxes_included: true, processed_at: at, lines };
  const fulfillment = { fulfillment_id: `${order_id}-F`, lines: [{ line_id: "1", quantity: 1 }] };
  const events = [
    { type: "OrderPaid", delivery_key: `${order_id}-p`, occurred_at: at, payload },
    { type: "OrderFulfilled", delivery_key: `${order_id}-f`, occurred_at: at, payload: { order_id, fulfillment } },
  ];
  expect((await service.client.post("/intake/events", events)).status).toBe(202);
}

const PROGRAM = {
  store: { time_zone: "UTC", currency: "JPY" },
  earning: { point_value: 1, currency_value: 100 },
  expiration: { delay_months: 12, mode: "sliding" },
  rewards: { birthday: 50 },
};

const apply = () => applyProgram(service.deps, { document: PROGRAM, author: "test", isDryRun: false });

test("a store begins in 1997 and lives on: points, their expiry and birthdays are of that time", async () => {
  const { client, deps } = service;
  for (const job of JOBS.filter(({ name }) => name === "expire points")) await runJob(deps, job); // as a worker has by then
  expect((await setClock(START)).status).toBe(200);
  await apply();
  await client.put(`${API}/customers/c1`, { name: "C", birthday: "1970-09-10" });
  await client.put(`${API}/customers/c2`, { name: "D" });
  await sell("O1", "c1", "1997-07-01T00:00:00Z");
  await sell("O2", "c2", "1997-07-01T00:00:00Z");
  const points = async (id: string) => (await client.get(`${API}/point_balances/${id}`)).body.data.point_balance;
  await expect.poll(() => points("c2")).toBe(100);
  const { body } = await client.get(`${API}/point_allotments/c2`);
  expect(body.data[0].inserted_at.slice(0, 10)).toBe("1997-07-01");
  expect((await setClock("1997-09-11T00:00:00Z")).status).toBe(200);
  expect(await points("c1")).toBe(150);
  expect((await setClock("1998-08-01T00:00:00Z")).status).toBe(200);
  expect([await points("c1"), await points("c2")]).toEqual([50, 0]); // a birthday extends nothing
});

test("the first setting alone goes back, and no further than 1970", async () => {
  const before = await setClock("1969-12-31T23:59:59Z");
  expect([before.status, before.body.errors[0].detail]).toEqual([422, "expected a time from 1970-01-01T00:00:00Z on"]);
  expect((await setClock("1970-01-01T00:00:00Z")).body).toEqual({ now: "1970-01-01T00:00:00.000000Z" });
  expect((await setClock(START)).status).toBe(200);
  const back = await setClock("1997-06-30T23:59:59Z");
  expect([back.status, back.body.errors[0].source]).toEqual([422, { pointer: "/now" }]);
});

test.each([
  ["a customer", () => service.client.put(`${API}/customers/c1`, { name: "C" })],
  ["a program", () => apply()],
  [
    "a subscription",
    () =>
      service.client.post(`${API}/webhooks`, { topic: "point_balance/update", callback_url: "http://127.0.0.1:9/" }),
  ],
  ["a received event", () => sell("O1", "c1", "2026-01-01T00:00:00Z")],
])("a store that has %s does not go back", async (_, write) => {
  await write();
  const back = await setClock(START);
  expect([back.status, back.body.errors[0].detail]).toEqual([422, expect.stringContaining("no writes yet")]);
});
