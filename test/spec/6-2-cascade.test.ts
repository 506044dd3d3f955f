import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startReceiver, type TestReceiver } from "../support/receiver.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { waitUntil } from "../support/wait-until.ts";

const API = "/api/storefront";
/** Beyond 2^53. */
const CUSTOMER = "820982911946154508";

let service: TestService;
let receiver: TestReceiver;

beforeAll(async () => {
  service = await startTestService({ now: "2026-03-01T09:30:00.123456Z" });
  receiver = await startReceiver();
  await service.client.put(`${API}/customers/${CUSTOMER}`, { name: "Hanako" });
  const subscription = { topic: "point_allotment/cascade", callback_url: receiver.url };
  expect((await service.client.post(`${API}/webhooks`, subscription)).status).toBe(200);
});
afterAll(async () => {
  await receiver.close();
  await service.stop();
});

/** The bodies of the next deliveries, as text. */
async function nextBodies(count: number, act: () => Promise<unknown>): Promise<string[]> {
  const before = receiver.arrivals.length;
  await act();
  await waitUntil(() => receiver.arrivals.length >= before + count);
  return receiver.arrivals.slice(before).map(({ body }) => body);
}

describe("interface 6.2: point_allotment/cascade", () => {
  test("tells an allotment, the customer's id digit for digit", async () => {
    let uid = "";
    const [body] = await nextBodies(1, async () => {
      const allotment = { customer_id: CUSTOMER, point_value: 120 };
      uid = (await service.client.post(`${API}/point_allotments`, allotment)).body.data.id;
    });
    const { allotted_at } = (await service.client.get(`${API}/point_allotments/${CUSTOMER}`)).body.data[0];
    expect(allotted_at).toMatch(/^2026-03-01T09:30:00\.12345\d$/);
    expect(body).toBe(
      `{"allotted_at":"${allotted_at}","customer":{"storefront_id":${CUSTOMER}},` +
        `"point_value":120,"type":"api","uid":"${uid}"}`,
    );
  });

  test("one for each allotment, in the order of the ledger", async () => {
    const bodies = await nextBodies(3, async () => {
      for (const point_value of [5, -7, 11]) {
        await service.client.post(`${API}/point_allotments`, { customer_id: CUSTOMER, point_value });
      }
    });
    expect(bodies.map((body) => JSON.parse(body).point_value)).toEqual([5, -7, 11]);
    const versions = receiver.arrivals.map(({ headers }) => Number(headers["pointkeeper-version"]));
    expect(versions).toEqual([1, 2, 3, 4]);
  });

  test("none for a refusal, nor for a difference of 0", async () => {
    const bodies = await nextBodies(1, async () => {
      const tooMuch = { customer_id: CUSTOMER, point_value: -1_000 };
      expect((await service.client.post(`${API}/point_allotments`, tooMuch)).status).toBe(400);
      const same = await service.client.post(`${API}/point_balances/${CUSTOMER}/set_balances`, { balance: 129 });
      expect(same.body.data.point_value).toBe(0);
      await service.client.post(`${API}/point_allotments`, { customer_id: CUSTOMER, point_value: 1 });
    });
    expect(bodies.map((body) => JSON.parse(body).point_value)).toEqual([1]);
  });
});

test("with a platform in the settings the field bears its name", async () => {
  const shop = await startTestService({ config: { platform: "shopify" } });
  const other = await startReceiver();
  try {
    await shop.client.put("/api/shopify/customers/gid-1", {});
    const subscription = { topic: "point_allotment/cascade", callback_url: other.url };
    expect((await shop.client.post("/api/shopify/webhooks", subscription)).status).toBe(200);
    await shop.client.post("/api/shopify/point_allotments", { customer_id: "gid-1", point_value: 3 });
    await waitUntil(() => other.arrivals.length === 1);
    expect(JSON.parse(other.arrivals[0]?.body ?? "").customer).toEqual({ shopify_id: "gid-1" });
    let first: { payload: { customer: object } } | undefined;
    await waitUntil(async () => {
      [first] = (await shop.client.get("/api/shopify/events")).body.data;
      return first !== undefined; // long transactions of other tests hold the feed up
    });
    expect(first?.payload.customer).toEqual({ shopify_id: "gid-1" });
    const { schemas } = (await shop.client.get("/openapi.json")).body.components;
    for (const described of [schemas.Events, schemas.PointAllotmentCascadeEvent]) {
      const text = JSON.stringify(described);
      expect(text).toContain('"required":["shopify_id"]');
      expect(text).toContain('"shopify_id":{');
      expect(text).not.toContain('"storefront_id"');
    }
  } finally {
    await other.close();
    await shop.stop();
  }
});
