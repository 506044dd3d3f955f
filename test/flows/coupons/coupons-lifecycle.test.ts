import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { couponDeleted } from "../../../src/coupons/coupon-deleted.ts";
import { nextCouponDueAt } from "../../../src/coupons/next-coupon-due-at.ts";
import { body, cancelled, line, refunded, shipped } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";

let flow: OrderFlow;
beforeAll(async () => {
  flow = await startOrderFlow();
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

let count = 0;

/** A customer with 1,000 points and a coupon of 500 of them, which is worth 500 yen. */
async function withCoupon() {
  const n = ++count;
  const customer = `k${n}`;
  await flow.customer(customer);
  await flow.give(customer, 1_000);
  return { customer, order: `o${n}`, coupon: await flow.coupon(customer, 500) };
}

/** 2,000 yen of bowls and 3,000 yen of pots, with the code's 500 yen spread over them. */
function sale(code: string) {
  const [bowls, pots] = [200, 300].map((amount) => [[code, amount]] as const);
  const lines = [
    line("a", { price: 1_000, quantity: 2, discounts: bowls ?? [] }),
    line("b", { price: 3_000, discounts: pots ?? [] }),
  ];
  const coupons = [{ code, amount: { minor: 500n, currency: "JPY" }, type: "fixed_amount" }];
  return [body(1, lines, { coupons }), shipped(2, "f1", { a: 2, b: 1 })];
}

const ONE_BOWL = refunded(3, "r1", { lines: [["a", 1, 900]], moved: 900 });
const THE_REST = refunded(4, "r2", {
  lines: [
    ["a", 1, 900],
    ["b", 1, 2_700],
  ],
  moved: 3_600,
});

async function reimbursed(code: string): Promise<number> {
  return (await flow.client.get(`/api/storefront/coupons/${code}`)).body.data.points_reimbursed;
}

describe("a coupon that an order uses", () => {
  test("costs its points once, and the order says so", async () => {
    const { customer, order, coupon } = await withCoupon();
    expect(await flow.balance(customer)).toBe(500);
    await flow.take(...ofOrder(order, customer, sale(coupon.code.toLowerCase())));
    expect(await flow.order(order)).toEqual({ awardable_points: 45, points_awarded: 45, points_redeemed: 500 });
    expect(await flow.balance(customer)).toBe(545);
    const { status } = await flow.client.delete(`/api/storefront/coupons/${coupon.code}`);
    expect(status).toBe(409);
    await flow.deps.db.tx((tx) => couponDeleted(tx, flow.deps, { discountRef: null, code: coupon.code }));
    flow.clock.advance({ hours: 100 });
    await flow.expire();
    expect(await flow.balance(customer)).toBe(545);
  });

  test("returns with refunds by its share, all with the last, whatever comes first and however often", async () => {
    const histories = [
      [0, 1, 2, 3],
      [1, 0, 3, 2],
      [3, 0, 2, 2, 1],
      [2, 1, 3, 0],
    ];
    for (const history of histories) {
      const { customer, order, coupon } = await withCoupon();
      const events = ofOrder(order, customer, [...sale(coupon.code), ONE_BOWL, THE_REST]);
      await flow.take(...history.flatMap((at) => events[at] ?? []));
      expect(await flow.order(order)).toEqual({ awardable_points: 0, points_awarded: 0, points_redeemed: 500 });
      expect(await flow.balance(customer)).toBe(1_000);
      expect(await reimbursed(coupon.code)).toBe(500);
    }
  });

  test("a part comes back with a part, and the rest with the cancellation", async () => {
    const { customer, order, coupon } = await withCoupon();
    await flow.take(...ofOrder(order, customer, [...sale(coupon.code), ONE_BOWL]));
    expect(await reimbursed(coupon.code)).toBe(100);
    expect(await flow.balance(customer)).toBe(500 + 100 + 36);
    await flow.take(...ofOrder(order, customer, [cancelled(9), cancelled(9)]));
    expect(await reimbursed(coupon.code)).toBe(500);
    expect(await flow.balance(customer)).toBe(1_000);
    const returns = (await flow.ledger(customer)).filter(([type]) => type === "coupon_reimbursement");
    expect(returns).toEqual([
      ["coupon_reimbursement", 100],
      ["coupon_reimbursement", 400],
    ]);
  });

  test("nothing comes back on a partial refund where the store says so", async () => {
    const other = await startOrderFlow({ program: { refunds: { reimburse_coupons_on_partial: false } } });
    await other.customer("7");
    await other.give("7", 1_000);
    const coupon = await other.coupon("7", 500);
    await other.take(...ofOrder("1", "7", [...sale(coupon.code), ONE_BOWL]));
    expect(await other.balance("7")).toBe(500 + 36);
    await other.take(...ofOrder("1", "7", [THE_REST]));
    expect(await other.balance("7")).toBe(1_000);
    await other.stop();
  });

  test("the first of two orders counts", async () => {
    const { customer, order, coupon } = await withCoupon();
    await Promise.all([1, 2, 3, 4].map((n) => flow.take(...ofOrder(`${order}-${n}`, customer, sale(coupon.code)))));
    const redeemed = await Promise.all(
      [1, 2, 3, 4].map(async (n) => (await flow.order(`${order}-${n}`))?.points_redeemed),
    );
    expect(redeemed.sort()).toEqual([0, 0, 0, 500]);
    await flow.take(...[1, 2, 3, 4].flatMap((n) => ofOrder(`${order}-${n}`, customer, [cancelled(9)])));
    expect(await flow.balance(customer)).toBe(1_000);
  });

  test("its points come back to whom they were taken from, whoever ordered", async () => {
    const { customer, order, coupon } = await withCoupon();
    await flow.take(...ofOrder(order, null, [...sale(coupon.code), cancelled(9)]));
    expect(await flow.balance(customer)).toBe(1_000);
  });
});

describe("a coupon that nobody uses", () => {
  test("gives its points back after its lifetime and the grace, once", async () => {
    const { customer } = await withCoupon();
    flow.clock.advance({ hours: 47 });
    await flow.expire();
    expect(await flow.balance(customer)).toBe(500);
    flow.clock.advance({ hours: 1 });
    await Promise.all([flow.expire(), flow.expire(), flow.expire()]);
    expect(await flow.balance(customer)).toBe(1_000);
    expect(await nextCouponDueAt(flow.deps)).toBeNull();
    const last = (await flow.ledger(customer)).at(-1);
    expect(last).toEqual(["coupon_cancellation", 500]);
  });

  test("deleted at the platform, by its code or its discount", async () => {
    const { customer, coupon } = await withCoupon();
    const gone = { discountRef: null, code: coupon.code.toLowerCase() };
    await flow.deps.db.tx((tx) => couponDeleted(tx, flow.deps, { discountRef: "gid://1", code: null }));
    expect(await flow.balance(customer)).toBe(500);
    await Promise.all([1, 2, 3].map(() => flow.deps.db.tx((tx) => couponDeleted(tx, flow.deps, gone))));
    expect(await flow.balance(customer)).toBe(1_000);
  });

  test("of a deleted customer gives nothing back", async () => {
    const { customer } = await withCoupon();
    await flow.remove(customer);
    flow.clock.advance({ hours: 48 });
    await flow.expire();
    const rows = await flow.deps.db.query(
      "select ledger_points from balance natural join customer_alias where storefront_id = $1",
      [customer],
    );
    expect(rows).toEqual([{ ledger_points: 0n }]);
  });
});

describe("a use that is reported after the points came back", () => {
  test("takes them again, and they can come back again", async () => {
    const { customer, order, coupon } = await withCoupon();
    flow.clock.advance({ hours: 48 });
    await flow.expire();
    await flow.take(...ofOrder(order, customer, sale(coupon.code)));
    expect(await flow.balance(customer)).toBe(545);
    expect(await flow.order(order)).toMatchObject({ points_redeemed: 500 });
    expect(await reimbursed(coupon.code)).toBe(0);
    await flow.take(...ofOrder(order, customer, [cancelled(9), ...sale(coupon.code)]));
    expect(await flow.balance(customer)).toBe(1_000);
  });

  test("at the very time at which it expires: whoever is first, it costs its points once", async () => {
    const all = await Promise.all(Array.from({ length: 8 }, withCoupon));
    flow.clock.advance({ hours: 48 });
    const uses = all.map(({ customer, order, coupon }) => flow.take(...ofOrder(order, customer, sale(coupon.code))));
    await Promise.all([flow.expire(), ...uses, flow.expire()]);
    expect(await Promise.all(all.map(({ customer }) => flow.balance(customer)))).toEqual(all.map(() => 545));
  });

  test("as far as the balance goes: it cost no more, and no more comes back", async () => {
    const { customer, order, coupon } = await withCoupon();
    await flow.client.delete(`/api/storefront/coupons/${coupon.code}`);
    await flow.give(customer, -800);
    await flow.take(...ofOrder(order, customer, [...sale(coupon.code), ONE_BOWL]));
    expect(await flow.order(order)).toMatchObject({ points_redeemed: 200 });
    expect(await reimbursed(coupon.code)).toBe(40);
    await flow.take(...ofOrder(order, customer, [cancelled(9)]));
    expect(await flow.balance(customer)).toBe(200);
  });

  test("from an empty balance takes nothing", async () => {
    const { customer, order, coupon } = await withCoupon();
    await flow.client.delete(`/api/storefront/coupons/${coupon.code}`);
    await flow.give(customer, -1_000);
    await flow.take(...ofOrder(order, null, [...sale(coupon.code), cancelled(9)]));
    expect(await flow.order(order)).toMatchObject({ points_redeemed: 0 });
    expect(await flow.balance(customer)).toBe(0);
  });
});
