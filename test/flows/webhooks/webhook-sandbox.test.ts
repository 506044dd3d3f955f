import { afterAll, beforeAll, expect, test } from "vitest";
import { startReceiver, type TestReceiver } from "../../support/receiver.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const API = "/api/storefront";

let service: TestService;
let receiver: TestReceiver;

beforeAll(async () => {
  service = await startTestService({ config: { sandbox: true } });
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await service.stop();
});

test("twelve days of resends pass through the sandbox clock", async () => {
  receiver.answer = () => 500;
  const { now } = (await service.client.get("/sandbox/clock")).body;
  const start = Temporal.Instant.from(now).add({ hours: 1 });
  await service.client.put("/sandbox/clock", { now: start.toString() });
  await service.client.put(`${API}/customers/c1`, {});
  await service.client.post(`${API}/webhooks`, { topic: "point_allotment/cascade", callback_url: receiver.url });
  for (const point_value of [1, 2])
    await service.client.post(`${API}/point_allotments`, { customer_id: "c1", point_value });
  const moved = await service.client.put("/sandbox/clock", { now: start.add({ hours: 24 * 13 }).toString() });
  expect(moved.status).toBe(200);
  const byId = Map.groupBy(receiver.arrivals, ({ headers }) => headers["webhook-id"]);
  expect([...byId.values()].map((arrivals) => arrivals.length)).toEqual([21, 21]);
  const sentAt = [...byId.values()].map((arrivals) =>
    arrivals.map(({ headers }) => Number(headers["webhook-timestamp"])),
  );
  for (const times of sentAt) {
    const days = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 86_400;
    expect(days).toBeGreaterThan(11.5);
    expect(days).toBeLessThan(12.8);
  }
  await service.client.put("/sandbox/clock", { now: start.add({ hours: 24 * 60 }).toString() });
  expect(receiver.arrivals).toHaveLength(42);
});
