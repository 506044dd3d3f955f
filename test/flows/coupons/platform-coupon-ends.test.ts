import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { couponDeleted } from "../../../src/coupons/coupon-deleted.ts";
import { beginDiscountRemoval } from "../../../src/platform-sync/discount-removal-queries.ts";
import { finishDiscountRemoval } from "../../../src/platform-sync/finish-discount-removal.ts";
import { nextCodeExpiryAt } from "../../../src/platform-sync/next-code-expiry-at.ts";
import { resolveCoupons } from "../../../src/platform-sync/resolve-coupons.ts";
import { body, line, shipped } from "../../support/order-events.ts";
import { ofOrder } from "../../support/order-flow.ts";
import { type PlatformFlow, startPlatformFlow } from "../../support/platform-flow.ts";

const PATH = "/api/storefront/coupons";

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

async function withCoupon() {
  const customer = await flow.shopper();
  const coupon = await flow.coupon(customer, 500);
  const discount = [...flow.platform.discounts.values()].find(({ code }) => code === coupon.code);
  if (discount === undefined) throw new Error("no discount");
  return { customer, coupon, discount };
}

function use(customer: string, code: string) {
  const sale = body(1, [line("a", { price: 5_000, discounts: [[code, 500]] })], {
    coupons: [{ code, amount: { minor: 500n, currency: "JPY" }, type: "fixed_amount" }],
  });
  return flow.take(...ofOrder(`o-${code}`, customer, [sale, shipped(2, "f1", { a: 1 })]));
}

describe("deleting a coupon", () => {
  test("removes the code first, then the points come back, once", async () => {
    const { customer, coupon } = await withCoupon();
    const seen: number[] = [];
    flow.platform.before = async (operation) => {
      if (operation === "discountCodeDelete") seen.push(await flow.balance(customer));
    };
    const answer = await flow.client.delete(`${PATH}/${coupon.code}`);
    expect([answer.status, answer.body.data.points_reimbursed, seen]).toEqual([200, 500, [500]]);
    expect(flow.platform.codes()).not.toContain(coupon.code);
    expect((await flow.client.delete(`${PATH}/${coupon.code}`)).status).toBe(200);
    expect([await flow.balance(customer), await flow.pending()]).toEqual([1_000, 0]);
  });

  test("whose code is gone already gives the points back", async () => {
    const { customer, coupon, discount } = await withCoupon();
    flow.platform.discounts.delete(discount.ref);
    expect((await flow.client.delete(`${PATH}/${coupon.code}`)).status).toBe(200);
    expect(await flow.balance(customer)).toBe(1_000);
  });

  test.each(["lost before", "lost after", "hangs after", "500"] as const)(
    "that the platform does not confirm (%s) gives nothing back until it does",
    async (fate) => {
      const { customer, coupon } = await withCoupon();
      flow.platform.fate = () => fate;
      flow.giveUpSoon(fate === "hangs after");
      const answer = await flow.client.delete(`${PATH}/${coupon.code}`);
      expect([answer.status, answer.headers.has("retry-after")]).toEqual([503, true]);
      await flow.settle();
      flow.giveUpSoon(false);
      expect(await flow.balance(customer)).toBe(500);
      flow.platform.fate = () => "done";
      await flow.settle();
      expect([await flow.balance(customer), flow.platform.codes().includes(coupon.code)]).toEqual([1_000, false]);
      expect(await flow.pending()).toBe(0);
    },
  );

  test("that the platform counts as used is 409, and costs what it cost", async () => {
    const { customer, coupon, discount } = await withCoupon();
    discount.usageCount = 1;
    expect((await flow.client.delete(`${PATH}/${coupon.code}`)).status).toBe(409);
    expect([await flow.balance(customer), await flow.pending()]).toEqual([500, 0]);
    await use(customer, coupon.code);
    expect(await flow.balance(customer)).toBe(545);
  });

  test("that an order uses meanwhile is 409", async () => {
    const { customer, coupon } = await withCoupon();
    flow.platform.before = async (operation) => {
      if (operation === "discountCodeDelete") await use(customer, coupon.code);
    };
    expect((await flow.client.delete(`${PATH}/${coupon.code}`)).status).toBe(409);
    expect(await flow.balance(customer)).toBe(545);
    expect(await flow.pending()).toBe(0);
  });

  test("and the platform's own word of it give the points back once", async () => {
    const { customer, coupon, discount } = await withCoupon();
    const told = () => flow.deps.db.tx((tx) => couponDeleted(tx, flow.deps, { discountRef: discount.ref, code: null }));
    flow.platform.before = async (operation) => {
      if (operation === "discountCodeDelete") await told();
    };
    expect((await flow.client.delete(`${PATH}/${coupon.code}`)).status).toBe(200);
    await told();
    expect(await flow.balance(customer)).toBe(1_000);
  });

  test("whose discount only ended there has its code removed first, unless a use was counted", async () => {
    const [idle, counted] = [await withCoupon(), await withCoupon()];
    counted.discount.usageCount = 1;
    for (const { discount } of [idle, counted])
      await flow.deps.db.tx((tx) =>
        couponDeleted(tx, flow.deps, { discountRef: discount.ref, code: null, reason: "expired" }),
      );
    expect(await flow.balance(idle.customer)).toBe(500);
    await flow.settle();
    expect(flow.platform.codes()).not.toContain(idle.coupon.code);
    expect([await flow.balance(idle.customer), await flow.balance(counted.customer)]).toEqual([1_000, 500]);
    await use(counted.customer, counted.coupon.code);
    expect([await flow.balance(counted.customer), await flow.pending()]).toEqual([545, 0]);
  });

  test("killed between any two steps is ended by whoever comes next", async () => {
    const all = await Promise.all(Array.from({ length: 3 }, withCoupon));
    const removals = await Promise.all(
      all.map(({ coupon }) =>
        beginDiscountRemoval(flow.deps.db, {
          couponUid: coupon.id,
          appReference: "test",
          leaseUid: flow.deps.random.uid(),
        }),
      ),
    );
    for (const { discount } of all.slice(1)) flow.platform.discounts.delete(discount.ref);
    const last = removals[2];
    if (last === undefined) throw new Error("not begun");
    await flow.deps.db.tx((tx) => finishDiscountRemoval(tx, flow.deps, last));
    await flow.lapse();
    await Promise.all([resolveCoupons(flow.deps), resolveCoupons(flow.deps)]);
    for (const { customer, coupon } of all) {
      expect([await flow.balance(customer), flow.platform.codes().includes(coupon.code)]).toEqual([1_000, false]);
    }
    expect(await flow.pending()).toBe(0);
  });
});

describe("a coupon that nobody uses", () => {
  test("loses its code after its lifetime and the grace, then its points come back", async () => {
    const [idle, used, counted] = [await withCoupon(), await withCoupon(), await withCoupon()];
    await use(used.customer, used.coupon.code);
    counted.discount.usageCount = 1;
    const dueAt = await nextCodeExpiryAt(flow.deps);
    expect(dueAt?.toString()).toBe(flow.clock.now().add({ hours: 48 }).toString());
    flow.clock.advance({ hours: 48 });
    flow.platform.fate = () => "lost before";
    await Promise.all([flow.expire(), flow.settle()]);
    expect(await flow.balance(idle.customer)).toBe(500);
    flow.platform.fate = () => "done";
    await Promise.all([flow.settle(), flow.settle(), flow.expire()]);
    expect([await flow.balance(idle.customer), flow.platform.codes().includes(idle.coupon.code)]).toEqual([
      1_000,
      false,
    ]);
    expect((await flow.ledger(idle.customer)).at(-1)).toEqual(["coupon_cancellation", 500]);
    expect([await flow.balance(used.customer), await flow.balance(counted.customer)]).toEqual([545, 500]);
    await use(counted.customer, counted.coupon.code); // the order that the platform had counted comes late
    await flow.settle();
    await flow.expire();
    expect([await flow.balance(counted.customer), await flow.pending()]).toEqual([545, 0]);
    expect(await nextCodeExpiryAt(flow.deps)).toBeNull();
  });
});
