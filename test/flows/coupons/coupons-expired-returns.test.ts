import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applyOrderEvent } from "../../../src/orders/apply-order-event.ts";
import { mergeInto } from "../../support/customers.ts";
import { body, cancelled, line, refunded } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";

let flow: OrderFlow;
let count = 0;
beforeAll(async () => {
  flow = await startOrderFlow({ program: { expiration: { delay_months: 1, mode: "per_allotment" } } });
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

/** Points, which expire after some days. */
type Given = number | readonly [points: number, days: number];

/** A customer with a coupon of 500 points, which was paid from these lots, who has no others. */
async function withCoupon(lots: readonly Given[]) {
  const n = ++count;
  const customer = `x${n}`;
  await flow.customer(customer);
  for (const lot of lots) {
    if (typeof lot === "number") await flow.give(customer, lot);
    else await giveUntil(customer, ...lot);
  }
  return { customer, order: `xo${n}`, coupon: await flow.coupon(customer, 500) };
}

/** Gives points that expire after some days. */
async function giveUntil(customer: string, points: number, days: number) {
  const { body: given } = await flow.client.post("/api/storefront/point_allotments", {
    customer_id: customer,
    point_value: points,
    expires_at: flow.clock
      .now()
      .add({ hours: 24 * days })
      .toString(),
  });
  expect(given.data.point_value).toBe(points);
}

async function reserve(customer: string, points: number, days: number): Promise<string> {
  const wanted = { customer_id: customer, point_value: points, ttl_seconds: days * 86_400 };
  return (await flow.client.post("/api/storefront/reservations", wanted)).body.data.id;
}

const lines = (code: string) => [line("a", { price: 1_000, quantity: 2, discounts: [[code, 500]] })];
const codes = (code: string) => ({
  coupons: [{ code, amount: { minor: 500n, currency: "JPY" }, type: "fixed_amount" }],
});
const voided = (at: number, code: string) =>
  body(at, lines(code), { ...codes(code), paid: false, financialStatus: "voided" });
const paid = (at: number, code: string) => body(at, lines(code), codes(code));

/** An order with the coupon whose payment was voided: its points came back. */
async function withReturned(lots: readonly Given[] = [500]) {
  const { customer, order, coupon } = await withCoupon(lots);
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
    const { customer, order, coupon } = await withCoupon([500]);
    flow.clock.advance({ hours: 48 });
    await flow.expire();
    expect(await flow.balance(customer)).toBe(500);
    flow.clock.advance({ hours: 24 * 40 });
    await flow.give(customer, 800);
    await flow.take(...ofOrder(order, customer, [paid(2, coupon.code)]));
    expect(await flow.balance(customer)).toBe(800);
    expect(await flow.order(order)).toMatchObject({ points_redeemed: 0 });
  });

  test("also if a part stays returned, because the order is partly refunded", async () => {
    const { customer, coupon, take } = await withReturned([[200, 3], 300]);
    flow.clock.advance({ hours: 24 * 5 });
    expect(await flow.balance(customer)).toBe(300);
    await take(refunded(2, "r", { lines: [["a", 1, 750]], moved: 750 }), paid(3, coupon.code));
    expect(await flow.balance(customer)).toBe(250); // 200 expired, 50 were taken: 250 are due for the half
    await take(cancelled(4));
    expect(await flow.balance(customer)).toBe(300);
  });

  test("but those that came back later and are left are, whatever expired of earlier ones", async () => {
    const { customer, order, coupon } = await withCoupon([[250, 3], 250]);
    const take = (...events: Parameters<typeof ofOrder>[2]) => flow.take(...ofOrder(order, customer, events));
    const removed = refunded(2, "r", { lines: [["a", 1, 750]], moved: 0 });
    await take(body(1, lines(coupon.code), { ...codes(coupon.code), paid: false }), removed);
    expect(await flow.balance(customer)).toBe(250);
    flow.clock.advance({ hours: 24 * 40 });
    await take(voided(3, coupon.code));
    expect(await flow.balance(customer)).toBe(250); // the second half: the first has expired
    await take(paid(4, coupon.code));
    expect(await flow.balance(customer)).toBe(0);
    await take(cancelled(5));
    expect(await flow.balance(customer)).toBe(250);
  });

  test.each([[[500]], [[200, 300]]])("though their customer was merged in between: lots %j", async (lots) => {
    const { customer, coupon, take } = await withReturned(lots);
    for (const survivor of ["k", "l"]) {
      await flow.customer(`${customer}${survivor}`);
    }
    await mergeInto(flow.deps, customer, `${customer}k`);
    await mergeInto(flow.deps, `${customer}k`, `${customer}l`);
    flow.clock.advance({ hours: 24 * 40 });
    await flow.give(`${customer}l`, 800);
    await take(paid(2, coupon.code));
    expect(await flow.balance(`${customer}l`)).toBe(800);
  });
});

test.each([
  [[500], false],
  [[200, 300], false],
  [[200, 300], true],
])(
  "returned points that are left are taken before others that expire sooner: lots %j, merged %s",
  async (lots, isMerged) => {
    const { customer, coupon, take } = await withReturned(lots);
    const holder = isMerged ? `${customer}k` : customer;
    await flow.customer(holder);
    if (isMerged) await mergeInto(flow.deps, customer, holder);
    await giveUntil(holder, 100, 3);
    await take(paid(2, coupon.code));
    flow.clock.advance({ hours: 24 * 5 });
    expect(await flow.balance(holder)).toBe(0);
  },
);

describe("returned points that a reservation keeps beyond their date have not expired", () => {
  test("and are taken again though the reservation ends later", async () => {
    const { customer, coupon, take } = await withReturned();
    const reservation = await reserve(customer, 500, 60);
    flow.clock.advance({ hours: 24 * 40 });
    await flow.give(customer, 800);
    await take(paid(2, coupon.code));
    await flow.client.post(`/api/storefront/reservations/${reservation}/release`);
    expect(await flow.balance(customer)).toBe(800);
  });

  test("those that it does not keep are gone", async () => {
    const { customer, coupon, take } = await withReturned();
    const reservation = await reserve(customer, 200, 60);
    flow.clock.advance({ hours: 24 * 40 });
    await flow.give(customer, 800);
    await take(paid(2, coupon.code));
    await flow.client.post(`/api/storefront/reservations/${reservation}/release`);
    expect(await flow.balance(customer)).toBe(800); // of 500, 300 expired and 200 were taken
  });

  test("though the reservation is over, which was not recorded yet", async () => {
    const { customer, coupon, take } = await withReturned();
    await giveUntil(customer, 800, 300);
    await reserve(customer, 500, 35);
    flow.clock.advance({ hours: 24 * 40 });
    await take(paid(2, coupon.code));
    expect(await flow.balance(customer)).toBe(800);
  });
});

test("points that expire while the order is being changed are either taken again or gone", async () => {
  for (let readings = 0; readings < 12; readings++) {
    const { customer, order, coupon } = await withReturned([[500, 2]]);
    await flow.give(customer, 800);
    const [early, late] = [flow.clock.now(), flow.clock.now().add({ hours: 24 * 5 })];
    let n = 0;
    const deps = { ...flow.deps, clock: { now: () => (n++ < readings ? early : late) } };
    for (const event of ofOrder(order, customer, [paid(2, coupon.code)]))
      await flow.deps.db.tx((tx) => applyOrderEvent(tx, deps, event));
    flow.clock.set(late.toString());
    expect(await flow.balance(customer)).toBe(800);
  }
});
