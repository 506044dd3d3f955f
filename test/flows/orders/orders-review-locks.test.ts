import { afterAll, beforeAll, expect, test } from "vitest";
import { requestOrderReviews } from "../../../src/customers/request-order-reviews.ts";
import { lockBalances } from "../../../src/ledger/balance-queries.ts";
import { lockCoupons } from "../../../src/orders/coupons/coupon-use-queries.ts";
import { reviewOrders } from "../../../src/orders/review/review-orders.ts";
import { body, line, minute, money } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";
import { waitUntil } from "../../support/wait-until.ts";

let flow: OrderFlow;
beforeAll(async () => {
  flow = await startOrderFlow();
});
afterAll(() => flow.stop());

test("the review of a customer's orders waits for a coupon before it locks the balance", async () => {
  const { deps } = flow;
  await flow.customer("7");
  await flow.give("7", 1_000);
  const { code } = await flow.coupon("7", 100);
  const coupons = [{ code, amount: money(100), type: "fixed_amount" }];
  await flow.take(...ofOrder("1", "7", [body(1, [line("a", { price: 1_000 })])]));
  await flow.take(...ofOrder("2", "7", [body(1, [line("a", { price: 1_000 })], { coupons })]));
  const [row] = await deps.db.query<{ bucket: number; customerUid: string }>(
    `select bucket, customer_uid as "customerUid" from customer where storefront_id = '7'`,
  );
  if (row === undefined) throw new Error("they were made");
  await deps.db.tx((tx) => requestOrderReviews(tx, deps, [row], { cause: "tier", from: minute(0) }));

  let review: Promise<number> | undefined;
  await deps.db.tx(async (tx) => {
    await tx.execute("set local lock_timeout = '500ms'"); // a deadlock is found after a second
    await lockCoupons(tx, [code]); // as an order that uses it
    review = reviewOrders(deps);
    await waitUntil(async () => (await waiting()) > 0);
    await lockBalances(tx, [row]);
  });
  expect(await review).toBe(3); // the customer, and both orders for the store's program
  expect(await flow.faults()).toEqual([]);
});

/** Sessions that wait for a lock. */
async function waiting(): Promise<number> {
  const rows = await flow.deps.db.query(
    "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  return rows.length;
}
