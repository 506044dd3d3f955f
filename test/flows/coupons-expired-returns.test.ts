import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mergeCustomers } from "../../src/intake/merge-customers.ts";
import { body, line } from "../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../support/order-flow.ts";

let flow: OrderFlow;
let count = 0;
beforeAll(async () => {
  flow = await startOrderFlow({ program: { expiration: { delay_months: 1, mode: "per_allotment" } } });
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

/** A customer with a coupon of 500 points, who has no others. */
async function withCoupon() {
  const n = ++count;
  const customer = `x${n}`;
  await flow.customer(customer);
  await flow.give(customer, 500);
  return { customer, order: `xo${n}`, coupon: await flow.coupon(customer, 500) };
}

const lines = (code: string) => [line("a", { price: 2_000, discounts: [[code, 500]] })];
const codes = (code: string) => ({
  coupons: [{ code, amount: { minor: 500n, currency: "JPY" }, type: "fixed_amount" }],
});
const voided = (at: number, code: string) =>
  body(at, lines(code), { ...codes(code), paid: false, financialStatus: "voided" });
const paid = (at: number, code: string) => body(at, lines(code), codes(code));

/** An order with the coupon whose payment was voided: its points came back. */
async function withReturned() {
  const { customer, order, coupon } = await withCoupon();
  const take = (...events: Parameters<typeof ofOrder>[2]) => flow.take(...ofOrder(order, customer, events));
  await take(voided(1, coupon.code));
  expect(await flow.balance(customer)).toBe(500);
  return { customer, order, coupon, take };
}

describe("returned points of a coupon that have expired since are not taken from other points", () => {
  test("when its order is paid after all, nor returned again", async () => {
    const { customer, coupon, take } = await withReturned();
    flow.clock.advance({ hours: 24 * 40 });
    await flow.give(customer, 800);
    await take(paid(2, coupon.code));
    expect(await flow.balance(customer)).toBe(800);
    await take(voided(3, coupon.code));
    expect(await flow.balance(customer)).toBe(800);
  });

  test("only those that expired: spent ones are taken from others", async () => {
    const { customer, coupon, take } = await withReturned();
    await flow.give(customer, -300);
    flow.clock.advance({ hours: 24 * 40 });
    await flow.give(customer, 800);
    await take(paid(2, coupon.code));
    expect(await flow.balance(customer)).toBe(500); // 300 were spent, 200 expired
  });

  test("when its use is reported late", async () => {
    const { customer, order, coupon } = await withCoupon();
    flow.clock.advance({ hours: 48 });
    await flow.expire();
    expect(await flow.balance(customer)).toBe(500);
    flow.clock.advance({ hours: 24 * 40 });
    await flow.give(customer, 800);
    await flow.take(...ofOrder(order, customer, [paid(2, coupon.code)]));
    expect(await flow.balance(customer)).toBe(800);
    expect(await flow.order(order)).toMatchObject({ points_redeemed: 0 });
  });

  test("though their customer was merged in between", async () => {
    const { customer, coupon, take } = await withReturned();
    await flow.customer(`${customer}k`);
    await flow.deps.db.tx((tx) =>
      mergeCustomers(tx, flow.deps, { removedId: customer, keptId: `${customer}k`, appReference: "test" }),
    );
    flow.clock.advance({ hours: 24 * 40 });
    await flow.give(`${customer}k`, 800);
    await take(paid(2, coupon.code));
    expect(await flow.balance(`${customer}k`)).toBe(800);
  });
});

test("returned points that are left are taken before others that expire sooner", async () => {
  const { customer, coupon, take } = await withReturned();
  const { body: given } = await flow.client.post("/api/storefront/point_allotments", {
    customer_id: customer,
    point_value: 100,
    expires_at: flow.clock
      .now()
      .add({ hours: 24 * 3 })
      .toString(),
  });
  expect(given.data.point_value).toBe(100);
  await take(paid(2, coupon.code));
  flow.clock.advance({ hours: 24 * 5 });
  expect(await flow.balance(customer)).toBe(0);
});
