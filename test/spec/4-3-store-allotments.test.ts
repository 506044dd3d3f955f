import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { processAllReceipts } from "../../src/intake/process-all-receipts.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";

const PATH = "/api/storefront/point_allotments";
let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    worker: false,
    now: "2026-03-01T09:30:00.123456Z",
    config: { platform: "shopify" },
  });
});
afterAll(() => service.stop());

describe("interface 4.3: allotments of a store", () => {
  test("elements have every field of shape A, those of the sample included", async () => {
    const customer = await makeCustomer(service.deps);
    const created = await service.client.post(PATH, { customer_id: customer.storefrontId, point_value: 50 });
    await service.client.post(PATH, { customer_id: customer.storefrontId, point_value: -20 });
    const element = {
      uid: created.body.data.id,
      point_value: 50,
      inserted_at: "2026-03-01T09:30:00.123456Z",
      allotted_at: "2026-03-01T09:30:00.123456",
      alloted_at: "2026-03-01T09:30:00.123456Z",
      type: "api",
      point_balance_uid: customer.customerUid,
      allotment_cascade: null,
      app_reference: "store",
      object: null,
      parent: null,
      action: null,
      event_id: null,
      points_deducted: 20,
    };
    const store = await service.client.get(`${PATH}?type=api`);
    expect(store.body.data[0]).toEqual({ ...element, app_reference: store.body.data[0].app_reference });
  });

  test.each([
    "coupon_reimbursement",
    "coupon_cancellation",
    "csv",
    "deletion",
    "expiration",
    "manual",
    "refund",
    "api",
    "flow",
    "fulfillment",
    "tax",
    "reward",
  ])("type=%s of interface 2.3 is a filter", async (type) => {
    const { status, body } = await service.client.get(`${PATH}?type=${type}`);
    expect(status).toBe(200);
    for (const row of body.data) expect(row.type).toBe(type);
  });

  test("app_reference names who told of a deletion, also where another platform is configured", async () => {
    const events = [
      { type: "CustomerUpserted", payload: { customer_id: "D-1" } },
      { type: "CustomerDeleted", payload: { customer_id: "D-1", reason: "deleted" } },
    ];
    await service.client.post("/intake/events", events[0]);
    await processAllReceipts(service.deps);
    await service.client.post(PATH, { customer_id: "D-1", point_value: 9 });
    await service.client.post("/intake/events", events[1]);
    await processAllReceipts(service.deps);
    const list = await service.client.get(`${PATH}?type=deletion`);
    expect(list.body.data).toMatchObject([{ point_value: -9, app_reference: "manual_integration" }]);
  });
});
