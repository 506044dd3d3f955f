import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-03-01T00:30:00.123456Z" });
});
afterAll(() => service.stop());

const path = (id: string, spelling = "set_balances") => `/api/storefront/point_balances/${id}/${spelling}`;

describe("interface 4.7: set a point balance", () => {
  test("makes the balance the value and records the difference, in both spellings", async () => {
    const { storefrontId } = await makeCustomer(service.deps);
    const up = await service.client.post(path(storefrontId), { balance: 300 });
    expect(up.status).toBe(200);
    expect(up.body.data).toMatchObject({
      id: expect.any(String),
      point_value: 300,
      inserted_at: "2026-03-01T00:30:00.123456Z",
      point_balance: { id: storefrontId, point_balance: 300, expiration_delay: 12 },
    });
    const down = await service.client.post(path(storefrontId, "set_balance"), { balance: 120 });
    expect(down.body.data).toMatchObject({ point_value: -180, point_balance: { point_balance: 120 } });
    const list = await service.client.get(`/api/storefront/point_allotments/${storefrontId}`);
    expect(list.body.data.map((row: { point_value: number }) => row.point_value)).toEqual([300, -180]);
    expect(list.body.data[1].uid).toBe(down.body.data.id);
  });

  test.each(["set_balances", "set_balance"])("%s answers under the singular path too", async (spelling) => {
    const { storefrontId } = await makeCustomer(service.deps);
    const answer = await service.client.post(`/api/storefront/point_balance/${storefrontId}/${spelling}`, {
      balance: 7,
    });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ point_value: 7, point_balance: { id: storefrontId, point_balance: 7 } });
  });

  test("a difference of 0 is recorded all the same", async () => {
    const { storefrontId } = await makeCustomer(service.deps);
    const answer = await service.client.post(path(storefrontId), { balance: 0 });
    expect(answer.status).toBe(200);
    expect(answer.body.data.point_value).toBe(0);
    const list = await service.client.get(`/api/storefront/point_allotments/${storefrontId}`);
    expect(list.body.data).toHaveLength(1);
  });

  test("the path may name the customer by e-mail", async () => {
    await makeCustomer(service.deps, { email: "set@example.com" });
    const answer = await service.client.post(path(encodeURIComponent("SET@example.com")), { balance: 9 });
    expect(answer.body.data.point_balance.point_balance).toBe(9);
  });

  test.each([["-1"], ['"5"'], ["1.5"], ["null"], ["9007199254740992"]])("balance %s is 422", async (value) => {
    const { storefrontId } = await makeCustomer(service.deps);
    const answer = await service.client.post(path(storefrontId), `{"balance": ${value}}`);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].source).toEqual({ pointer: "/balance" });
  });

  test("an unknown customer is 404; a body without balance is 422", async () => {
    expect((await service.client.post(path("123404"), { balance: 1 })).status).toBe(404);
    const { storefrontId } = await makeCustomer(service.deps);
    expect((await service.client.post(path(storefrontId), {})).status).toBe(422);
    expect((await service.client.post(path(storefrontId))).status).toBe(422);
  });

  test("sets and awards racing for one customer end at a sum that its allotments explain", async () => {
    const { storefrontId } = await makeCustomer(service.deps);
    const award = () =>
      service.client.post("/api/storefront/point_allotments", { customer_id: storefrontId, point_value: 3 });
    const set = (balance: number) => service.client.post(path(storefrontId), { balance });
    await Promise.all(Array.from({ length: 60 }, (_, i) => (i % 3 === 0 ? set(i) : award())));
    const list = await service.client.get(`/api/storefront/point_allotments/${storefrontId}`);
    const sum = list.body.data.reduce((total: number, row: { point_value: number }) => total + row.point_value, 0);
    const balance = await service.client.get(`/api/storefront/point_balances/${storefrontId}`);
    expect(list.body.data).toHaveLength(60);
    expect(balance.body.data.point_balance).toBe(sum);
  });
});
