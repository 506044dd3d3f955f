import { afterAll, beforeAll, expect, test } from "vitest";
import { body, line, shipped } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";

let flow: OrderFlow;
beforeAll(async () => {
  flow = await startOrderFlow();
  await flow.customer("7");
  await flow.give("7", 1_000);
  const { code } = await flow.coupon("7", 100);
  const lines = [line("a", { price: 1_000, discounts: [[code, 100]] })];
  const coupons = [{ code, amount: { minor: 100n, currency: "JPY" }, type: "fixed_amount" }];
  await flow.client.delete(`/api/storefront/coupons/${code}`);
  await flow.take(...ofOrder("1", "7", [body(1, lines, { coupons }), shipped(2, "f1", { a: 1 })]));
});
afterAll(() => flow.stop());

/** Each breaks what exactly one check says, and is undone. */
const FAULTS: readonly (readonly [check: string, plant: string, undo: string])[] = [
  [
    "order postings",
    "update order_posting set cause = 'adjust/1/9' where cause like 'fulfillment/%'",
    "update order_posting set cause = 'fulfillment/1/1-f1/a' where cause = 'adjust/1/9'",
  ],
  [
    "order postings",
    "insert into order_posting (order_id, cause, type, bucket, customer_uid, wanted, taken, outcome) select order_id, 'coupon_return/x', type, bucket, customer_uid, 1, 1, 'posted' from order_posting",
    "delete from order_posting where cause = 'coupon_return/x'",
  ],
  [
    "order points",
    "update allotment set parent = 'order-2' where parent = 'order-1' and type = 'fulfillment'",
    "update allotment set parent = 'order-1' where parent = 'order-2'",
  ],
  ["orders", "update store_order set awarded_points = 8", "update store_order set awarded_points = 9"],
  ["orders", "update store_order set redeemed_points = 99", "update store_order set redeemed_points = 100"],
  [
    "orders set off",
    "update order_posting set outcome = 'set_off', wanted = 10 where wanted = 9",
    "update order_posting set outcome = 'posted', wanted = 9 where wanted = 10",
  ],
  ["orders set off", "update store_order set forgiven_points = 1", "update store_order set forgiven_points = 0"],
  [
    "orders set off",
    "update order_posting set taken_elsewhere = 1 where wanted = 9",
    "update order_posting set taken_elsewhere = 0 where wanted = 9",
  ],
  ["order spend", "update order_spend set order_id = '2'", "update order_spend set order_id = '1'"],
  ["coupons", "update coupon set point_value = 101", "update coupon set point_value = 100"],
  ["coupons", "update coupon_use set debit_version = 1", "update coupon_use set debit_version = 4"],
  [
    "coupon returns",
    "update allotment set type = 'coupon_cancellation', object = (select 'coupon-' || uid from coupon) where version = 1",
    "update allotment set type = 'api', object = null where version = 1",
  ],
];

test("what was really posted holds", async () => {
  expect(await flow.order("1")).toEqual({ awardable_points: 9, points_awarded: 9, points_redeemed: 100 });
  expect(await flow.faults()).toEqual([]);
});

test.each(FAULTS)("the check of %s finds what was planted (%s)", async (check, plant, undo) => {
  await flow.owner.execute(plant);
  const found = await flow.faults();
  expect(found.some((fault) => fault.startsWith(`FAIL ${check}: customer 7`))).toBe(true);
  await flow.owner.execute(undo);
  expect(await flow.faults()).toEqual([]);
});
