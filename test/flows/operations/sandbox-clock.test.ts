import { afterAll, beforeAll, expect, test } from "vitest";
import { startReceiver, type TestReceiver } from "../../support/receiver.ts";
import { startTestService, type TestService } from "../../support/service.ts";

let service: TestService;
let receiver: TestReceiver;

beforeAll(async () => {
  receiver = await startReceiver();
  service = await startTestService({ config: { sandbox: true } });
});

afterAll(async () => {
  await service.stop();
  await receiver.close();
});

const API = "/api/storefront";

async function setClock(now: Temporal.Instant) {
  return service.client.put("/sandbox/clock", { now: now.toString() });
}

test("12 days of resends pass in one PUT, and all have arrived when it answers", async () => {
  const { client } = service;
  receiver.answer = () => 500;
  expect((await client.put(`${API}/customers/1001`, { email: "a@example.com" })).status).toBe(201);
  const start = Temporal.Instant.from("2099-01-01T00:00:00Z");
  expect((await setClock(start)).status).toBe(200);
  const topic = "point_allotment/cascade";
  expect((await client.post(`${API}/webhooks`, { topic, callback_url: receiver.url })).status).toBe(200);
  expect((await client.post(`${API}/point_allotments`, { customer_id: "1001", point_value: 5 })).status).toBe(200);
  await expect.poll(() => receiver.arrivals.length).toBe(1);

  await setClock(start.add({ hours: 24 * 11 }));
  expect(receiver.arrivals).toHaveLength(20); // 2^19 - 1 seconds after the first are 6.1 days, 2^20 - 1 are 12.1
  await setClock(start.add({ hours: 24 * 14 }));
  expect(receiver.arrivals).toHaveLength(21);
  expect(new Set(receiver.arrivals.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  await setClock(start.add({ hours: 24 * 60 }));
  expect(receiver.arrivals).toHaveLength(21);
});

test("what succeeds on the way is not sent again", async () => {
  receiver.arrivals.length = 0;
  receiver.answer = () => 200;
  expect((await service.client.post(`${API}/point_allotments`, { customer_id: "1001", point_value: 7 })).status).toBe(
    200,
  );
  await expect.poll(() => receiver.arrivals.length).toBe(1);
  const { body } = await service.client.get("/sandbox/clock");
  await setClock(Temporal.Instant.from(body.now).add({ hours: 1_000 }));
  expect(receiver.arrivals).toHaveLength(1);
});

test("the business follows the clock, and goes forward only", async () => {
  const at = "2101-05-06T07:08:09.123456Z";
  expect((await setClock(Temporal.Instant.from(at))).body).toEqual({ now: at });
  const { body } = await service.client.post(`${API}/point_allotments`, { customer_id: "1001", point_value: 1 });
  expect(body.data.inserted_at.slice(0, 19)).toBe(at.slice(0, 19));
  const back = await setClock(Temporal.Instant.from("2101-05-06T07:08:09.123455Z"));
  expect([back.status, back.body.errors[0].source]).toEqual([422, { pointer: "/now" }]);
});

test("where the sandbox is off there is no clock", async () => {
  const other = await startTestService({ worker: false });
  expect((await other.client.get("/sandbox/clock")).status).toBe(404);
  expect((await other.client.put("/sandbox/clock", { now: "2099-01-01" })).status).toBe(404);
  await other.stop();
});
