import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";

const rule = (name: string, requirement: number, pointValue: number) => ({
  name,
  default: requirement === 0,
  currency_spent_requirement: requirement,
  point_value: pointValue,
  currency_value: 100,
});

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    worker: false,
    now: "2026-03-10T00:00:00Z",
    program: {
      store: { currency: "USD", time_zone: "Asia/Tokyo" },
      tiers: {
        period_months: 3,
        start_month: 1,
        window_months: 1,
        rules: [rule("Bronze", 0, 1), rule("Silver", 50000, 2), rule("Gold", 100000, 3)],
      },
    },
  });
});
afterAll(() => service.stop());

let orders = 0;

/** What the orders of a customer count, minor units, at their credit times. */
async function spend(
  customer: { bucket: number; customerUid: string },
  amounts: Record<string, bigint>,
): Promise<void> {
  for (const [creditedAt, minor] of Object.entries(amounts)) {
    await service.deps.db.execute(
      "insert into order_spend (order_id, bucket, customer_uid, credited_at, spend_minor) values ($1, $2, $3, $4, $5)",
      [`tier-${++orders}`, customer.bucket, customer.customerUid, creditedAt, minor],
    );
  }
}

describe("interface 4.9: a customer's tier", () => {
  test("counts the spend of the next check's window toward the next tier and the present one", async () => {
    const customer = await makeCustomer(service.deps);
    // The check of 1 April, Tokyo time, looks at March.
    await spend(customer, {
      "2026-02-28T14:59:59.999999Z": 100_000n,
      "2026-02-28T15:00:00Z": 10_000n,
      "2026-03-09T00:00:00Z": 2_050n,
      "2026-03-31T15:00:00Z": 100_000n,
    });
    const { status, body } = await service.client.get(`/api/storefront/point_balances/${customer.storefrontId}/tier`);
    expect(status).toBe(200);
    const rules = (await service.client.get("/api/storefront/tiers")).body.data;
    const money = (minor: number) => ({ amount: (minor / 100).toFixed(2), currency: "USD", raw_amount: minor });
    const deadline = "2026-03-31T15:00:00.000000Z";
    expect(body).toEqual({
      data: {
        id: customer.storefrontId,
        tier: "Bronze",
        tier_uid: rules[0].uid,
        minimum_tier: null,
        skip_next_check: false,
        ...money(37_950),
        deadline,
        tier_name: "Silver",
        advancement_data: {
          ...money(37_950),
          deadline,
          spent_requirement: money(50_000),
          tier_name: "Silver",
          tier_uid: rules[1].uid,
          tiers: [
            { ...money(0), name: "Bronze", ratio: 0.01, spent_requirement: money(0), uid: rules[0].uid },
            { ...money(37_950), name: "Silver", ratio: 0.02, spent_requirement: money(50_000), uid: rules[1].uid },
            { ...money(87_950), name: "Gold", ratio: 0.03, spent_requirement: money(100_000), uid: rules[2].uid },
          ],
        },
        maintenance_data: { ...money(0), deadline, spent_requirement: money(0) },
      },
    });
  });

  test("has no next tier in the highest one, and says what keeps it", async () => {
    const customer = await makeCustomer(service.deps);
    await spend(customer, { "2026-03-05T00:00:00Z": 60_000n });
    const path = `/api/storefront/point_balances/${customer.storefrontId}`;
    await service.client.post(`${path}/tiers`, { tier: "Gold", minimum_tier: "Silver" });
    const { data } = (await service.client.get(`${path}/tier`)).body;
    expect(data).toMatchObject({
      tier: "Gold",
      minimum_tier: "Silver",
      tier_name: null,
      amount: "0.00",
      raw_amount: 0,
    });
    expect(data.advancement_data).toMatchObject({
      spent_requirement: null,
      tier_name: null,
      tier_uid: null,
      raw_amount: 0,
    });
    expect(data.maintenance_data).toMatchObject({ amount: "400.00", spent_requirement: { raw_amount: 100_000 } });
  });

  test("answers in both spellings, by e-mail too", async () => {
    const customer = await makeCustomer(service.deps, { email: "tier@example.com" });
    for (const path of ["point_balance/TIER%40example.com/tier", "point_balances/tier@example.com/tier"]) {
      const answer = await service.client.get(`/api/storefront/${path}`);
      expect(answer.status).toBe(200);
      expect(answer.body.data.id).toBe(customer.storefrontId);
    }
  });

  test("of nobody is 404", async () => {
    const answer = await service.client.get("/api/storefront/point_balances/404/tier");
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      errors: [{ status: "404", title: "Customer was not found", code: "customer_not_found" }],
    });
  });
});
