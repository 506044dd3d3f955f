import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readProgram } from "../../src/program/read-program.ts";
import { tierOf } from "../../src/tiers/tier-of.ts";
import { tiersAt } from "../../src/tiers/tiers-at.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";

const rule = (name: string, requirement: number) => ({
  name,
  default: requirement === 0,
  currency_spent_requirement: requirement,
  point_value: 1,
  currency_value: 100,
});

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    worker: false,
    program: { tiers: { rules: [rule("Bronze", 0), rule("Silver", 50000), rule("Gold", 100000)] } },
  });
});
afterAll(() => service.stop());

const update = (id: string, body: unknown, end = "/tiers") =>
  service.client.post(`/api/storefront/point_balances/${id}${end}`, body);

describe("interface 4.10: update of a customer's tier", () => {
  test.each(["/tiers", ""])("works under the path that ends with %j", async (end) => {
    const { storefrontId } = await makeCustomer(service.deps);
    const answer = await update(storefrontId, { tier: "Silver", minimum_tier: "Bronze", skip_next_check: true }, end);
    expect(answer.status).toBe(200);
    const data = { id: storefrontId, tier: "Silver", minimum_tier: "Bronze", skip_next_check: true };
    expect(answer.body).toEqual({ data });
    const read = await service.client.get(`/api/storefront/point_balances/${storefrontId}/tier`);
    expect(read.body.data).toMatchObject(data);
  });

  test("takes a tier by uid, and a customer by e-mail", async () => {
    const { storefrontId } = await makeCustomer(service.deps, { email: "update@example.com" });
    const gold = (await service.client.get("/api/storefront/tiers")).body.data[2];
    const answer = await update("UPDATE%40example.com", { tier: gold.uid });
    expect(answer.body).toEqual({
      data: { id: storefrontId, tier: "Gold", minimum_tier: null, skip_next_check: false },
    });
  });

  test("keeps what it does not name; null clears the floor; a floor promotes nobody", async () => {
    const { storefrontId } = await makeCustomer(service.deps);
    await update(storefrontId, { minimum_tier: "Gold" });
    expect((await update(storefrontId, { skip_next_check: true })).body.data).toMatchObject({
      tier: "Bronze",
      minimum_tier: "Gold",
      skip_next_check: true,
    });
    expect((await update(storefrontId, { tier: "Silver" })).status).toBe(422);
    expect((await update(storefrontId, { minimum_tier: null })).body.data).toMatchObject({ minimum_tier: null });
    expect((await update(storefrontId, { tier: "Silver" })).body.data).toMatchObject({
      tier: "Silver",
      skip_next_check: true,
    });
  });

  test.each<[unknown, string | undefined]>([
    [{}, undefined],
    [{ unknown: 1 }, undefined],
    [{ tier: "Platinum" }, "/tier"],
    [{ minimum_tier: "Platinum" }, "/minimum_tier"],
    [{ tier: "Bronze", minimum_tier: "Silver" }, "/tier"],
    [{ tier: null }, "/tier"],
    [{ tier: 1 }, "/tier"],
    [{ skip_next_check: "true" }, "/skip_next_check"],
  ])("refuses %j with 422", async (body, pointer) => {
    const { storefrontId } = await makeCustomer(service.deps);
    const answer = await update(storefrontId, body);
    expect(answer.status).toBe(422);
    if (pointer !== undefined) expect(answer.body.errors[0].source.pointer).toBe(pointer);
    const read = await service.client.get(`/api/storefront/point_balances/${storefrontId}/tier`);
    expect(read.body.data).toMatchObject({ tier: "Bronze", minimum_tier: null, skip_next_check: false });
  });

  test("of nobody is 404", async () => {
    const answer = await update("404", { tier: "Silver" });
    expect(answer.status).toBe(404);
    expect(answer.body.errors[0].title).toBe("Customer was not found");
  });

  test("is answered once for one Idempotency-Key", async () => {
    const { storefrontId } = await makeCustomer(service.deps);
    const path = `/api/storefront/point_balances/${storefrontId}/tiers`;
    const first = await service.client.post(path, { tier: "Gold" }, { "idempotency-key": "tier-1" });
    await update(storefrontId, { tier: "Silver" });
    const again = await service.client.post(path, { tier: "Gold" }, { "idempotency-key": "tier-1" });
    expect(again.text).toBe(first.text);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const read = await service.client.get(`/api/storefront/point_balances/${storefrontId}/tier`);
    expect(read.body.data.tier).toBe("Silver");
  });

  test("leaves the tier of every earlier moment on record", async () => {
    const { db } = service.deps;
    const customer = await makeCustomer(service.deps);
    const program = await readProgram(db);
    const nameAt = async (instant: Temporal.Instant) => (await tiersAt(db, [{ customer, program, instant }]))[0]?.name;
    const start = service.clock.now();
    expect(await nameAt(start)).toBe("Bronze");
    service.clock.advance({ hours: 1 });
    await update(customer.storefrontId, { tier: "Gold" });
    service.clock.advance({ hours: 1 });
    await update(customer.storefrontId, { tier: "Silver" });
    await update(customer.storefrontId, { skip_next_check: true });
    const names = await Promise.all([0, 59, 60, 119, 120, 600].map((minutes) => nameAt(start.add({ minutes }))));
    expect(names).toEqual(["Bronze", "Bronze", "Gold", "Gold", "Silver", "Silver"]);
    expect((await tierOf(db, customer)).name).toBe("Silver");
  });
});
