import { afterAll, beforeAll, expect, test } from "vitest";
import { body, cancelled, line } from "../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../support/order-flow.ts";

let flow: OrderFlow;
beforeAll(async () => {
  flow = await startOrderFlow();
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

test("a used coupon gives a deleted customer nothing back when its order is cancelled", async () => {
  await flow.customer("gone");
  await flow.give("gone", 50);
  const { code } = await flow.coupon("gone", 20);
  const coupons = [{ code, amount: { minor: 20n, currency: "JPY" }, type: "fixed_amount" }];
  await flow.take(...ofOrder("o1", "gone", [body(1, [line("a", { price: 700 })], { coupons })]));
  await flow.remove("gone");
  await flow.take(...ofOrder("o1", "gone", [cancelled(3)]));
  expect(await flow.order("o1")).toMatchObject({ points_redeemed: 20 });
  const points = "select ledger_points from balance natural join customer_alias where storefront_id = 'gone'";
  expect(await flow.deps.db.query(points)).toEqual([{ ledger_points: 0n }]);
});
