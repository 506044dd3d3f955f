import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { processAllReceipts } from "../../../src/intake/process-all-receipts.ts";
import { body, line, shipped } from "../../support/order-events.ts";
import { ofOrder, startOrderFlow } from "../../support/order-flow.ts";
import { type PlatformFlow, startPlatformFlow } from "../../support/platform-flow.ts";

let flow: PlatformFlow;
beforeAll(async () => {
  flow = await startPlatformFlow();
});
beforeEach(() => {
  flow.platform.fate = () => "done";
  flow.platform.before = async () => {};
});
afterAll(async () => {
  expect(flow.platform.faults).toEqual([]);
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

/** The storefront's server says that a code left the cart. */
async function release(code: string, of: Pick<PlatformFlow, "client" | "deps"> = flow) {
  const event = { type: "CouponReleased", payload: { code, cart_id: "gid://shopify/Cart/1" } };
  const answer = await of.client.post("/intake/events", event);
  expect(answer.status).toBe(202);
  await processAllReceipts(of.deps);
  const [receipt] = await of.deps.db.query<{ state: string; note: string | null }>(
    "select state, note from receipt order by uid desc limit 1",
  );
  return receipt;
}

const stateOf = async (code: string) => (await flow.client.get(`/api/storefront/coupons/${code}`)).body.data;

describe("a code that left a storefront's cart", () => {
  test("redeem, redeem again, undo: every point is back at once, and no code is left", async () => {
    const customer = await flow.shopper();
    const first = await flow.coupon(customer, 30);
    const second = await flow.coupon(customer, 80);
    expect(await release(first.code)).toMatchObject({ state: "done", note: null });
    await flow.settle();
    expect([await flow.balance(customer), flow.platform.codes().includes(first.code)]).toEqual([920, false]);
    await release(second.code.toLowerCase());
    await flow.settle();
    expect([await flow.balance(customer), flow.platform.codes().includes(second.code)]).toEqual([1_000, false]);
    await release(second.code);
    await flow.settle();
    expect([await flow.balance(customer), await flow.pending()]).toEqual([1_000, 0]);
  });

  test("gives nothing back before the platform says that the code is gone", async () => {
    const customer = await flow.shopper();
    const coupon = await flow.coupon(customer, 500);
    flow.platform.fate = () => "lost before";
    await release(coupon.code);
    await flow.settle();
    expect([await flow.balance(customer), flow.platform.codes().includes(coupon.code)]).toEqual([500, true]);
    flow.platform.fate = () => "done";
    await flow.settle();
    expect([await flow.balance(customer), flow.platform.codes().includes(coupon.code)]).toEqual([1_000, false]);
  });

  test("gives nothing back for a use that the platform has counted, or that an order reports", async () => {
    const customer = await flow.shopper();
    const [counted, used] = [await flow.coupon(customer, 100), await flow.coupon(customer, 200)];
    for (const discount of flow.platform.discounts.values())
      if (discount.code === counted.code) discount.usageCount = 1;
    const sale = body(1, [line("a", { price: 5_000, discounts: [[used.code, 200]] })], {
      coupons: [{ code: used.code, amount: { minor: 200n, currency: "JPY" }, type: "fixed_amount" }],
    });
    await flow.take(...ofOrder("o-used", customer, [sale, shipped(2, "f1", { a: 1 })]));
    const before = await flow.balance(customer);
    await release(counted.code);
    await release(used.code);
    for (let i = 0; i < 3; i++) await flow.settle();
    expect([await flow.balance(customer), await flow.pending()]).toEqual([before, 0]);
    expect(flow.platform.codes()).toContain(counted.code);
    expect((await stateOf(counted.code)).points_reimbursed).toBe(0);
  });

  test("that is not ours changes nothing", async () => {
    expect(await release("SUMMER10")).toMatchObject({ state: "done" });
    expect(await flow.pending()).toBe(0);
  });
});

test("without a token the code cannot be removed: its points come back at its end, and the receipt says so", async () => {
  const alone = await startOrderFlow({ log: () => {} });
  await alone.customer("1");
  await alone.give("1", 1_000);
  const coupon = await alone.coupon("1", 500);
  const receipt = await release(coupon.code, alone);
  expect(receipt).toMatchObject({ state: "done", note: expect.stringContaining("at its end") });
  expect(await alone.balance("1")).toBe(500);
  alone.clock.advance({ hours: 48 });
  await alone.expire();
  expect(await alone.balance("1")).toBe(1_000);
  await alone.stop();
});
