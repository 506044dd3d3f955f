import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";

const BRONZE = { name: "Bronze", default: true, currency_spent_requirement: 0, point_value: 1, currency_value: 100 };
const SILVER = {
  name: "Silver",
  default: false,
  currency_spent_requirement: 50000,
  point_value: 2,
  currency_value: 100,
};

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    worker: false,
    now: "2026-07-15T00:00:00Z",
    program: {
      tiers: { rules: [BRONZE, SILVER] },
      campaigns: [
        {
          name: "Summer",
          starts_at: "2026-07-01T00:00:00+09:00",
          ends_at: "2026-08-01T00:00:00+09:00",
          point_value: 2,
          currency_value: 90,
          by_tier: { Silver: { point_value: 4, currency_value: 80 } },
        },
      ],
    },
  });
});
afterAll(() => service.stop());

describe("interface 4.2: tier rules", () => {
  test("are all rules of the program, ascending, with the running campaign", async () => {
    const { status, body } = await service.client.get("/api/storefront/tiers");
    expect(status).toBe(200);
    const uid = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(body).toEqual({
      data: [
        { ...BRONZE, uid, campaign_point_value: null, campaign_currency_value: 90 },
        { ...SILVER, uid, campaign_point_value: 4, campaign_currency_value: 80 },
      ],
    });
    expect(body.data[0].uid).not.toBe(body.data[1].uid);
  });

  test("show no campaign once the last is over", async () => {
    service.clock.set("2026-08-01T00:00:00+09:00");
    const { body } = await service.client.get("/api/storefront/tiers");
    expect(body.data[1]).toMatchObject({ campaign_point_value: null, campaign_currency_value: 100 });
  });

  test("need a credential", async () => {
    expect((await service.client.as(null).get("/api/storefront/tiers")).status).toBe(401);
  });
});
