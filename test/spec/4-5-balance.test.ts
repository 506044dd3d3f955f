import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-03-01T00:30:00Z" });
});
afterAll(() => service.stop());

describe("interface 4.5: point balance of a customer", () => {
  test("is a Point Balance under data, in both spellings", async () => {
    const { storefrontId } = await makeCustomer(service.deps);
    await service.client.post("/api/storefront/point_allotments", { customer_id: storefrontId, point_value: 312 });
    for (const spelling of ["point_balances", "point_balance"]) {
      const answer = await service.client.get(`/api/storefront/${spelling}/${storefrontId}`);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        data: {
          id: storefrontId,
          expiration_delay: 12,
          // 12 months after 2026-03-01 09:30 in Tokyo, at the next start of a day there
          expires_at: "2027-03-01T15:00:00.000000Z",
          point_balance: 312,
        },
      });
    }
  });

  test("of a customer without points never expires", async () => {
    const { storefrontId } = await makeCustomer(service.deps);
    const answer = await service.client.get(`/api/storefront/point_balances/${storefrontId}`);
    expect(answer.body.data).toEqual({ id: storefrontId, expiration_delay: 12, expires_at: null, point_balance: 0 });
  });

  test("is found by e-mail in any case, URL-encoded", async () => {
    const { storefrontId } = await makeCustomer(service.deps, { email: "Hanako+Points@Example.com" });
    const answer = await service.client.get("/api/storefront/point_balances/hanako%2Bpoints%40EXAMPLE.com");
    expect(answer.status).toBe(200);
    expect(answer.body.data.id).toBe(storefrontId);
  });

  test("an unknown customer is 404 with the documented title", async () => {
    const answer = await service.client.get("/api/storefront/point_balances/999999999");
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      errors: [{ status: "404", title: "Customer was not found", code: "customer_not_found" }],
    });
  });

  test("an e-mail of two customers is 409", async () => {
    await makeCustomer(service.deps, { email: "both@example.com" });
    await makeCustomer(service.deps, { email: "both@example.com" });
    const answer = await service.client.get("/api/storefront/point_balances/both%40example.com");
    expect(answer.status).toBe(409);
  });

  test("shows what has reached its date as gone, before anything wrote it off", async () => {
    const { storefrontId } = await makeCustomer(service.deps);
    await service.client.post("/api/storefront/point_allotments", { customer_id: storefrontId, point_value: 50 });
    service.clock.set("2027-03-01T14:59:59.999999Z");
    const before = await service.client.get(`/api/storefront/point_balances/${storefrontId}`);
    expect(before.body.data.point_balance).toBe(50);
    service.clock.set("2027-03-01T15:00:00Z");
    const after = await service.client.get(`/api/storefront/point_balances/${storefrontId}`);
    expect(after.body.data).toMatchObject({ point_balance: 0, expires_at: null });
    const spent = await service.client.post("/api/storefront/point_allotments", {
      customer_id: storefrontId,
      point_value: -1,
    });
    expect(spent.status).toBe(400);
    const list = await service.client.get(`/api/storefront/point_allotments/${storefrontId}`);
    expect(list.body.data.map((row: { type: string }) => row.type)).toEqual(["api", "expiration"]);
  });
});
