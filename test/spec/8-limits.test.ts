import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

// The limits of export (4.8, 6.4) and deliveries (6.1) are tested with their clauses.
describe("interface 8: limits", () => {
  test("per_page is 250 at most and by default", async () => {
    const list = (query: string) => service.client.get(`/api/storefront/point_allotments${query}`);
    expect((await list("")).body.meta.per_page).toBe(250);
    expect((await list("?per_page=250")).status).toBe(200);
    expect((await list("?per_page=251")).status).toBe(422);
  });

  test("order ids after the first 250 are ignored", async () => {
    const order = (orderId: string) => ({
      type: "OrderPlaced",
      payload: { order_id: orderId, lines: [], shop_currency: "JPY" },
    });
    const made = await service.client.post("/intake/events", [order("first"), order("last")]);
    expect(made.status).toBe(202);
    const { processAllReceipts } = await import("../../src/intake/process-all-receipts.ts");
    await processAllReceipts(service.deps);
    const others = (count: number) => Array.from({ length: count }, (_, i) => `none-${i}`);
    const read = async (ids: string[]) =>
      Object.keys((await service.client.get(`/api/storefront/orders?ids=${ids.join(",")}`)).body.data).sort();
    expect(await read(["first", ...others(248), "last"])).toEqual(["first", "last"]);
    expect(await read(["first", ...others(249), "last"])).toEqual(["first"]);
  });

  test("a reason's note is at most 255 characters", async () => {
    const { storefrontId } = await makeCustomer(service.deps);
    const post = (note: string) =>
      service.client.post("/api/storefront/point_allotments", {
        customer_id: storefrontId,
        point_value: 1,
        reason: { type: "reward", note },
      });
    expect((await post("点".repeat(255))).status).toBe(200);
    expect((await post("点".repeat(256))).status).toBe(422);
  });
});
