import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { processAllReceipts } from "../../../src/intake/process-all-receipts.ts";
import { mergeInto } from "../../support/customers.ts";
import { lotsOf } from "../../support/lots-of.ts";
import { body, line, minute, money, refunded, shipped } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";

const API = "/api/storefront";
const RULE = { currency_value: 100, point_value: 1 };
const TIERS = {
  rules: [
    { name: "Bronze", default: true, currency_spent_requirement: 0, ...RULE },
    { name: "Silver", default: false, currency_spent_requirement: 4_000, ...RULE },
    { name: "Gold", default: false, currency_spent_requirement: 90_000, ...RULE },
  ],
};

let flow: OrderFlow;
beforeAll(async () => {
  flow = await startOrderFlow({ program: { tiers: TIERS, rewards: { marketing_opt_in: 50 } } });
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

const merge = (removedId: string, keptId: string) => mergeInto(flow.deps, removedId, keptId);

const tier = async (id: string) => (await flow.client.get(`${API}/point_balances/${id}/tier`)).body.data;

const lots = (id: string) => lotsOf(flow, id);

let count = 0;
const pair = async () => {
  const [kept, removed] = [`k${++count}`, `r${count}`];
  await flow.customer(kept);
  await flow.customer(removed);
  return { kept, removed };
};

describe("orders, coupons and tiers", () => {
  const LINES = [line("a", { price: 1_000, quantity: 2 }), line("b", { price: 1_050 })];
  const events = (id: string, customer: string | null) =>
    ofOrder(id, customer, [body(1, LINES), shipped(2, "f1", { a: 2, b: 1 })]);
  const giveBack = (id: string) => ofOrder(id, null, [refunded(4, "r1", { lines: [["a", 1, 1_000]], moved: 1_000 })]);

  test("a later refund takes from the survivor, the order's own lot first; late statements change nothing", async () => {
    const { kept, removed } = await pair();
    const id = `o${count}`;
    await flow.give(kept, 100);
    await flow.take(...events(id, removed));
    expect(await flow.balance(removed)).toBe(31);
    flow.clock.advance({ hours: 24 });
    await merge(removed, kept);
    await flow.take(...giveBack(id), ...events(id, removed));
    expect(await flow.balance(kept)).toBe(121);
    expect((await lots(kept)).map(({ remaining }) => remaining).sort()).toEqual([10n, 100n, 11n]);
    expect(await flow.order(id)).toEqual({ awardable_points: 21, points_awarded: 21, points_redeemed: 0 });
    await flow.take(...ofOrder(id, removed, [body(9, LINES)]), ...ofOrder(id, kept, [body(10, LINES)]));
    expect(await flow.balance(kept)).toBe(121);
  });

  test("an order that was paid before and is shipped after the merge awards the survivor", async () => {
    const { kept, removed } = await pair();
    const id = `o${count}`;
    const [paid, shipment] = events(id, removed);
    if (paid === undefined || shipment === undefined) throw new Error("too few events");
    await flow.take(paid);
    await merge(removed, kept);
    await flow.take(shipment);
    expect(await flow.balance(kept)).toBe(31);
  });

  test("a coupon comes back to the survivor with the dates of its points, by itself or by its order", async () => {
    const { kept, removed } = await pair();
    await flow.give(removed, 60);
    const since = (await lots(removed))[0]?.since.toString();
    const [cancelled, used] = [await flow.coupon(removed, 10), await flow.coupon(removed, 20)];
    flow.clock.advance({ hours: 2 });
    await merge(removed, kept);
    expect(await flow.balance(kept)).toBe(30);
    expect((await flow.client.delete(`${API}/coupons/${cancelled.code}`)).status).toBe(200);
    expect(await flow.balance(kept)).toBe(40);
    const id = `o${count}`;
    const lines = [line("a", { price: 1_000, discounts: [[used.code, 20]] })];
    await flow.take(
      ...ofOrder(id, kept, [body(1, lines, { coupons: [{ code: used.code, amount: money(20), type: "fixed" }] })]),
    );
    await flow.take(...ofOrder(id, kept, [body(5, lines, { cancelledAt: minute(5), cancelReason: "customer" })]));
    expect(await flow.balance(kept)).toBe(60);
    expect(new Set((await lots(kept)).map((lot) => lot.since.toString()))).toEqual(new Set([since]));
  });

  test("tiers: joint spend lifts at once, the higher tier and floor stay", async () => {
    const { kept, removed } = await pair();
    await flow.take(...events(`x${count}`, kept), ...events(`y${count}`, removed));
    expect((await tier(kept)).tier).toBe("Bronze");
    await merge(removed, kept);
    expect(await tier(kept)).toMatchObject({ tier: "Silver", minimum_tier: null });
    const third = `t${count}`;
    await flow.customer(third);
    await flow.client.post(`${API}/point_balances/${third}/tiers`, { tier: "Gold", minimum_tier: "Silver" });
    await merge(third, kept);
    expect(await tier(kept)).toMatchObject({ tier: "Gold", minimum_tier: "Silver" });
    const changes = (await flow.client.get(`${API}/point_balances/${kept}/tier_changes`)).body.data;
    expect(changes.map(({ cause, to }: { cause: string; to: string }) => [cause, to])).toEqual([
      ["merge", "Gold"],
      ["merge", "Silver"],
    ]);
  });

  test("a reward that either of both had is not paid again", async () => {
    const { kept, removed } = await pair();
    const optIn = async (id: string) => {
      flow.clock.advance({ hours: 1 });
      const at = flow.clock.now().toString();
      const payload = { customer_id: id, accepts_marketing: true, consent_updated_at: at };
      await flow.client.post("/intake/events", { type: "CustomerUpserted", occurred_at: at, payload });
      await processAllReceipts(flow.deps);
    };
    await optIn(removed);
    expect(await flow.balance(removed)).toBe(50);
    await merge(removed, kept);
    await optIn(kept);
    await optIn(removed);
    expect(await flow.balance(kept)).toBe(50);
  });
});
