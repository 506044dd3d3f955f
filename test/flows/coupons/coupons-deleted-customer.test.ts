import { afterAll, beforeAll, expect, test } from "vitest";
import { mergeCustomers } from "../../../src/intake/merge-customers.ts";
import { awardPendingOrders } from "../../../src/orders/award-pending-orders.ts";
import { behind, listWaiting } from "../../support/behind.ts";
import { mergeInto } from "../../support/customers.ts";
import { body, cancelled, line } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";
import { waitUntil } from "../../support/wait-until.ts";

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

test("a coupon that ended while its customer was deleted costs its points once, whoever has them after a merge", async () => {
  await flow.customer("left");
  await flow.customer("right");
  await flow.give("left", 50);
  const { code } = await flow.coupon("left", 20);
  await flow.remove("left");
  flow.clock.advance({ hours: 24 * 3 });
  await flow.expire();
  await mergeInto(flow.deps, "left", "right"); // undoes the deletion
  expect(await flow.balance("right")).toBe(30);
  const coupons = [{ code, amount: { minor: 20n, currency: "JPY" }, type: "fixed_amount" }];
  await flow.take(...ofOrder("o2", "right", [body(1, [line("a", { price: 700 })], { coupons })]));
  expect(await flow.balance("right")).toBe(30);
  expect(await flow.order("o2")).toMatchObject({ points_redeemed: 20 });
});

/** Returns orders that name a coupon of a deleted customer, to whom its points had come back. */
async function returnedAndDeleted(removed: string, kept: string) {
  await flow.customer(kept);
  await flow.customer(removed);
  await flow.give(removed, 50);
  const { code } = await flow.coupon(removed, 20);
  flow.clock.advance({ hours: 24 * 3 });
  await flow.expire();
  expect(await flow.balance(removed)).toBe(50);
  await flow.remove(removed);
  const coupons = [{ code, amount: { minor: 20n, currency: "JPY" }, type: "fixed_amount" }];
  return (order: string, buyer: string) => ofOrder(order, buyer, [body(1, [line("a", { price: 700 })], { coupons })]);
}

test.each(["kept", "removed"])(
  "a returned coupon that was used while its customer was deleted costs its points once a merge brings them back: an order of the %s one",
  async (buyer) => {
    const [kept, removed, order] = [`${buyer}-kept`, `${buyer}-removed`, `of-${buyer}`];
    const orderOf = await returnedAndDeleted(removed, kept);
    const events = orderOf(order, `${buyer}-${buyer}`);
    await flow.take(...events);
    expect(await flow.order(order)).toMatchObject({ points_redeemed: 0 });
    await mergeInto(flow.deps, removed, kept);
    for (let n = 0; n < 2; n++) {
      await awardPendingOrders(flow.deps);
      expect(await flow.balance(kept)).toBe(30);
      expect(await flow.order(order)).toMatchObject({ points_redeemed: 20 });
      await flow.take(...events);
    }
  },
);

test("an order of the survivor that comes while a merge is open pays for such a coupon", async () => {
  const orderOf = await returnedAndDeleted("open-removed", "open-kept");
  await behind(
    flow.deps.db,
    (tx) => mergeCustomers(tx, flow.deps, { removedId: "open-removed", keptId: "open-kept", appReference: "test" }),
    () => flow.take(...orderOf("while-open", "open-kept")),
  );
  await awardPendingOrders(flow.deps);
  expect(await flow.balance("open-kept")).toBe(30);
  expect(await flow.order("while-open")).toMatchObject({ points_redeemed: 20 });
});

test("a merge locks the survivor's orders with such a coupon by their ids", async () => {
  const orderOf = await returnedAndDeleted("by-id-removed", "by-id-kept");
  for (const order of ["by-id-9", "by-id-1"]) await flow.take(...orderOf(order, "by-id-kept"));
  const lock = "select from store_order where order_id = $1 for no key update";
  const { db } = flow.deps;
  let merged: Promise<void> | undefined;
  await db.tx(async (tx) => {
    await tx.execute("set local lock_timeout = '500ms'"); // a deadlock is found after a second
    await tx.query(lock, ["by-id-1"]); // as the review of both
    merged = mergeInto(flow.deps, "by-id-removed", "by-id-kept");
    await waitUntil(async () => (await listWaiting(db)).length > 0);
    await tx.query(lock, ["by-id-9"]);
  });
  await merged;
  await awardPendingOrders(flow.deps);
  expect(await flow.balance("by-id-kept")).toBe(30);
});

test.each([
  ["kept", "the deleted one"],
  ["guest", "the deleted one"],
  ["guest", "somebody merged into that one before"],
])(
  "a coupon of an order that was cancelled while its customer was deleted comes back with a merge: the order of a %s, a coupon of %s",
  async (buyer, whose) => {
    const isOfFirst = whose !== "the deleted one";
    const run = `cancel-${buyer}-${isOfFirst}`;
    const [kept, removed, first, order] = [`${run}-kept`, `${run}-removed`, `${run}-first`, `${run}-order`];
    for (const id of [kept, removed, first]) await flow.customer(id);
    await flow.give(removed, 50);
    if (isOfFirst) await flow.give(first, 20);
    const { code } = await flow.coupon(isOfFirst ? first : removed, 20);
    if (isOfFirst) await mergeInto(flow.deps, first, removed);
    const coupons = [{ code, amount: { minor: 20n, currency: "JPY" }, type: "fixed_amount" }];
    const who = buyer === "kept" ? kept : null;
    await flow.take(...ofOrder(order, who, [body(1, [line("a", { price: 700 })], { coupons })]));
    await flow.remove(removed);
    await flow.take(...ofOrder(order, who, [cancelled(3)]));
    await mergeInto(flow.deps, removed, kept);
    const left = isOfFirst ? 50 : 30;
    expect(await flow.balance(kept)).toBe(left);
    await awardPendingOrders(flow.deps);
    expect(await flow.balance(kept)).toBe(left + 20);
  },
);
