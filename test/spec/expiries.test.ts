import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { postAllotments } from "../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../src/ledger/posting.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-03-01T00:30:00Z" });
});
afterAll(() => service.stop());

const API = "/api/storefront";

async function give(
  customer: Awaited<ReturnType<typeof makeCustomer>>,
  points: bigint,
  ownDate: string | null,
  extends_: "credit" | "never",
) {
  const change = { kind: "add", pointValue: points, shortfall: "refuse" } as const;
  const posting = {
    ...plainPosting(service.deps.random.uid(), "manual", "test", change),
    expiresAt: ownDate === null ? null : Temporal.Instant.from(ownDate),
    extends: extends_,
  };
  await service.deps.db.tx((tx) => postAllotments(tx, service.deps, [{ customer, posting }]));
}

describe("upcoming expiries of a customer", () => {
  test("are listed by date, soonest first, of own and computed dates, in both spellings and by e-mail", async () => {
    service.clock.set("2026-03-01T00:30:00Z");
    const customer = await makeCustomer(service.deps, { email: "dates@example.com" });
    await give(customer, 300n, null, "credit");
    await give(customer, 40n, "2026-05-05T03:00:00Z", "never");
    await give(customer, 2n, "2026-05-05T14:00:00Z", "never");
    service.clock.set("2026-04-01T00:30:00Z");
    await give(customer, 5n, null, "never"); // a survivor: keeps its own delay
    const expected = {
      data: [
        { expires_at: "2026-05-05T15:00:00.000000Z", point_value: 42 },
        { expires_at: "2027-03-01T15:00:00.000000Z", point_value: 300 },
        { expires_at: "2027-04-01T15:00:00.000000Z", point_value: 5 },
      ],
    };
    for (const path of [
      `point_balances/${customer.storefrontId}`,
      `point_balance/${customer.storefrontId}`,
      "point_balances/dates%40Example.com",
    ]) {
      const answer = await service.client.get(`${API}/${path}/expiries`);
      expect([answer.status, answer.body]).toEqual([200, expected]);
    }
    const balance = await service.client.get(`${API}/point_balances/${customer.storefrontId}`);
    expect(balance.body.data.expires_at).toBe(expected.data[0]?.expires_at);
  });

  test("leave out what has reached its date, before anything wrote it off", async () => {
    service.clock.set("2026-03-01T00:30:00Z");
    const customer = await makeCustomer(service.deps);
    await give(customer, 7n, "2026-03-02T00:00:00Z", "never");
    await give(customer, 9n, "2026-03-09T00:00:00Z", "never");
    service.clock.set("2026-03-02T15:00:00Z");
    const answer = await service.client.get(`${API}/point_balances/${customer.storefrontId}/expiries`);
    expect(answer.body).toEqual({ data: [{ expires_at: "2026-03-09T15:00:00.000000Z", point_value: 9 }] });
  });

  test("are none without points; an unknown customer is 404", async () => {
    const customer = await makeCustomer(service.deps);
    expect((await service.client.get(`${API}/point_balances/${customer.storefrontId}/expiries`)).body).toEqual({
      data: [],
    });
    const unknown = await service.client.get(`${API}/point_balances/404404/expiries`);
    expect([unknown.status, unknown.body.errors[0].title]).toEqual([404, "Customer was not found"]);
  });

  test("want the scope read", async () => {
    expect((await service.client.as(null).get(`${API}/point_balances/1/expiries`)).status).toBe(401);
  });
});
