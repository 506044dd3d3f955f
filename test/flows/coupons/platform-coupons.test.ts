import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { finishDiscountCreation } from "../../../src/platform-sync/finish-discount-creation.ts";
import { resolveCoupons } from "../../../src/platform-sync/resolve-coupons.ts";
import { mergeInto } from "../../support/customers.ts";
import { type PlatformFlow, startPlatformFlow } from "../../support/platform-flow.ts";
import type { Fate } from "../../support/shopify-admin-server.ts";

const PATH = "/api/storefront/coupons";

let flow: PlatformFlow;
beforeAll(async () => {
  flow = await startPlatformFlow();
});
beforeEach(() => {
  flow.platform.fate = () => "done";
  flow.platform.calls.length = 0;
});
afterEach(() => expect(flow.platform.faults).toEqual([]));
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

/** As if nothing had ever been asked for: all points there, none held, no code alive. */
async function expectUntouched(customer: string) {
  expect(await flow.balance(customer)).toBe(1_000);
  expect(await flow.held(customer)).toBe(0n);
  expect(await flow.ledger(customer)).toEqual([["api", 1_000]]);
}

describe("a coupon with a token of the platform", () => {
  test("is not created in a shop of another currency, where its amount would be worth something else", async () => {
    const customer = await flow.shopper();
    const { settings } = flow.platform;
    flow.platform.settings = { ...settings, currencyCode: "USD" };
    const answer = await flow.client.post(PATH, { customer_id: customer, point_value: 500 });
    flow.platform.settings = settings;
    expect([answer.status, answer.body.errors[0].detail]).toEqual([503, expect.stringMatching(/USD .* JPY/)]);
    await expectUntouched(customer);
  });

  test("has its code there, for its customer, once, in the store's currency", async () => {
    const customer = await flow.shopper();
    const coupon = await flow.coupon(customer, 500);
    const [discount] = [...flow.platform.discounts.values()].filter(({ code }) => code === coupon.code);
    expect(discount?.input).toEqual({
      code: coupon.code,
      title: `Pointkeeper coupon ${coupon.id}`,
      context: { customers: { add: [`gid://shopify/Customer/${customer}`] } },
      customerGets: {
        value: { discountAmount: { amount: "500", appliesOnEachItem: false } },
        items: { all: true },
      },
      usageLimit: 1,
      appliesOncePerCustomer: true,
      startsAt: "2026-03-01T00:00:00Z",
      endsAt: "2026-03-02T00:00:00Z",
    });
    expect(await flow.ledger(customer)).toEqual([
      ["api", 1_000],
      ["api", -500],
    ]);
    expect([await flow.balance(customer), await flow.held(customer), await flow.pending()]).toEqual([500, 0n, 0]);
    expect((await flow.client.get(`${PATH}/${coupon.code}`)).body.data.id).toBe(coupon.id);
    const keys = await flow.deps.db.query("select 1 from allotment where source_key = $1", [`coupon/${coupon.id}`]);
    expect(keys).toHaveLength(1);
  });

  test("of some products holds for those", async () => {
    const customer = await flow.shopper();
    const { body } = await flow.client.post(PATH, { customer_id: customer, point_value: 10, product_ids: ["31", 32] });
    const discount = [...flow.platform.discounts.values()].find(({ code }) => code === body.data.code);
    expect(discount?.input["customerGets"]).toMatchObject({
      items: { products: { productsToAdd: ["gid://shopify/Product/31", "gid://shopify/Product/32"] } },
    });
  });

  test("that the platform does not take is 422, stored under its key, and costs nothing", async () => {
    const customer = await flow.shopper();
    flow.platform.unknownProducts.add("gid://shopify/Product/404");
    const body = { customer_id: customer, point_value: 10, product_ids: ["404"] };
    const codes = flow.platform.codes();
    for (const replayed of [null, "true"]) {
      const answer = await flow.client.post(PATH, body, { "idempotency-key": "refused" });
      expect([answer.status, answer.headers.get("idempotent-replayed")]).toEqual([422, replayed]);
      expect(answer.body.errors[0].source).toEqual({ pointer: "/product_ids" });
    }
    await expectUntouched(customer);
    expect([flow.platform.codes(), await flow.pending()]).toEqual([codes, 0]);
  });

  test("for somebody the platform cannot know is 422 before anything is asked", async () => {
    await flow.customer("walk-in");
    await flow.give("walk-in", 10);
    const foreign = [
      { customer_id: "walk-in", point_value: 5 },
      { customer_id: await flow.shopper(), point_value: 5, product_ids: ["bowl"] },
    ];
    for (const body of foreign) expect((await flow.client.post(PATH, body)).status).toBe(422);
    expect((await flow.client.post(PATH, { customer_id: "9999", point_value: 5 })).status).toBe(404);
    expect((await flow.client.post(PATH, { customer_id: await flow.shopper(), point_value: 1_001 })).status).toBe(400);
    expect([flow.platform.calls, await flow.pending()]).toEqual([[], 0]);
  });

  test("waits while the platform throttles", async () => {
    const customer = await flow.shopper();
    const fates: Fate[] = ["throttled", "429"];
    flow.platform.fate = () => fates.shift() ?? "done";
    const answer = await flow.client.post(PATH, { customer_id: customer, point_value: 500 });
    expect([answer.status, flow.platform.calls.length]).toEqual([200, 3]);
  });

  test("of a token that may not is 503, and costs nothing", async () => {
    const customer = await flow.shopper();
    flow.platform.fate = () => "denied";
    const answer = await flow.client.post(
      PATH,
      { customer_id: customer, point_value: 500 },
      { "idempotency-key": "denied" },
    );
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "10"]);
    await expectUntouched(customer);
    flow.platform.fate = () => "done";
    expect(
      (await flow.client.post(PATH, { customer_id: customer, point_value: 500 }, { "idempotency-key": "denied" }))
        .status,
    ).toBe(200);
  });
});

describe("a request that the platform did not answer", () => {
  const fates: Fate[] = ["lost before", "lost after", "lands later", "hangs after", "500"];

  test.each(fates)("%s: keeps the points held until the platform says that no code is alive", async (fate) => {
    const customer = await flow.shopper();
    const before = flow.platform.codes();
    flow.platform.fate = (operation) => (operation === "discountCodeBasicCreate" ? fate : "done");
    flow.giveUpSoon(fate === "hangs after");
    const answer = await flow.client.post(PATH, { customer_id: customer, point_value: 500 });
    flow.giveUpSoon(false);
    expect([answer.status, answer.headers.has("retry-after")]).toEqual([503, true]);
    expect([await flow.balance(customer), await flow.held(customer)]).toEqual([500, 500n]);
    expect(await resolveCoupons(flow.deps)).toBe(0); // its lease is not over: the request may still be under way
    flow.platform.fate = () => "lost before";
    const { db } = flow.deps;
    const isAhead = "lease_until > clock_timestamp() + interval '1 day'";
    await db.execute("update coupon_creation set lease_until = now() + interval '1 year' where state <> 'released'");
    await resolveCoupons(flow.deps); // of a clock that was ahead: the platform is asked all the same
    expect(await db.query(`select 1 from coupon_creation where ${isAhead}`)).toEqual([]);
    await flow.settle();
    expect(await flow.held(customer)).toBe(500n);
    flow.platform.fate = () => "done";
    await flow.settle();
    await expectUntouched(customer);
    flow.platform.land();
    await flow.settle();
    expect([flow.platform.codes(), await flow.pending()]).toEqual([before, 0]);
    await expectUntouched(customer);
  });

  test.each(fates)("%s: its Idempotency-Key goes on with the coupon that it began", async (fate) => {
    const customer = await flow.shopper();
    const ask = () =>
      flow.client.post(PATH, { customer_id: customer, point_value: 500 }, { "idempotency-key": `again ${fate}` });
    flow.platform.fate = () => fate;
    flow.giveUpSoon(fate === "hangs after");
    expect((await ask()).status).toBe(503);
    flow.giveUpSoon(false);
    flow.platform.fate = () => "done";
    const [first, second] = [await ask(), await ask()];
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
    expect([await flow.balance(customer), await flow.held(customer), await flow.pending()]).toEqual([500, 0n, 0]);
    flow.platform.land();
    const own = [...flow.platform.discounts.values()].filter(({ title }) => title.endsWith(first.body.data.id));
    expect(own.map(({ code }) => code)).toEqual([first.body.data.code]);
  });

  test("whose code was used all the same keeps its points and is good", async () => {
    const customer = await flow.shopper();
    flow.platform.fate = () => "lost after";
    await flow.client.post(PATH, { customer_id: customer, point_value: 500 });
    flow.platform.fate = () => "done";
    const discount = [...flow.platform.discounts.values()].at(-1);
    if (discount !== undefined) discount.usageCount = 1;
    await flow.settle();
    expect(await flow.ledger(customer)).toContainEqual(["api", -500]);
    expect((await flow.client.get(`${PATH}/${discount?.code}`)).status).toBe(200);
    expect(await flow.held(customer)).toBe(0n);
  });
});

describe("a crash", () => {
  test("after the hold: the points come back", async () => {
    const customer = await flow.shopper();
    await flow.begin(500n, customer);
    expect(await flow.balance(customer)).toBe(500);
    await flow.settle();
    await expectUntouched(customer);
  });

  test("after the code was made: it goes, then the points come back", async () => {
    const customer = await flow.shopper();
    const creation = await flow.begin(500n, customer);
    expect(await flow.create(creation)).toMatchObject({ kind: "live" });
    const heldAtDelete: bigint[] = [];
    flow.platform.before = async (operation) => {
      if (operation === "discountCodeDelete") heldAtDelete.push(await flow.held(customer));
    };
    await flow.settle();
    flow.platform.before = async () => {};
    expect([heldAtDelete, flow.platform.codes().includes(creation.code)]).toEqual([[500n], false]);
    await expectUntouched(customer);
  });

  test("of who comes late: what was settled stays settled", async () => {
    const customer = await flow.shopper();
    const creation = await flow.begin(500n, customer);
    const made = await flow.create(creation);
    if (made.kind !== "live") throw new Error(made.kind);
    await flow.settle();
    expect(await flow.deps.db.tx((tx) => finishDiscountCreation(tx, flow.deps, creation, made.ref))).toBeNull();
    await expectUntouched(customer);
  });

  test("while the customer is merged: the points are held, taken and given back where they are now", async () => {
    const [kept, finished, settled] = [await flow.shopper(), await flow.shopper(), await flow.shopper()];
    const [first, second] = [await flow.begin(500n, finished), await flow.begin(500n, settled)];
    const made = await flow.create(first);
    if (made.kind !== "live") throw new Error(made.kind);
    for (const removed of [finished, settled]) await mergeInto(flow.deps, removed, kept);
    expect([await flow.balance(kept), await flow.held(kept)]).toEqual([2_000, 1_000n]);
    const coupon = await flow.deps.db.tx((tx) => finishDiscountCreation(tx, flow.deps, first, made.ref));
    expect([await flow.balance(kept), await flow.held(kept)]).toEqual([2_000, 500n]);
    await flow.settle();
    expect([await flow.balance(kept), await flow.held(kept)]).toEqual([2_500, 0n]);
    await flow.client.delete(`${PATH}/${coupon?.code}`);
    expect(await flow.balance(kept)).toBe(3_000);
    expect(flow.platform.codes()).not.toContain(second.code);
  });

  test("while the customer is deleted: nothing is left to anybody", async () => {
    const customer = await flow.shopper();
    await flow.begin(500n, customer);
    await flow.remove(customer);
    await flow.settle();
    const rows = await flow.deps.db.query(
      "select ledger_points, held_points from balance natural join customer_alias where storefront_id = $1",
      [customer],
    );
    expect(rows).toEqual([{ ledger_points: 0n, held_points: 0n }]);
  });
});

describe("many at once", () => {
  test("with one Idempotency-Key make one coupon", async () => {
    const customer = await flow.shopper();
    const body = { customer_id: customer, point_value: 10 };
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => flow.client.post(PATH, body, { "idempotency-key": "once" })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(flow.platform.calls).toEqual(["discountCodeBasicCreate"]);
    expect(await flow.balance(customer)).toBe(990);
  });

  test("never overdraw, whatever becomes of each", async () => {
    const customer = await flow.shopper();
    let count = 0;
    const fates: Fate[] = ["done", "lost after", "lost before", "500"];
    flow.platform.fate = () => fates[count++ % fates.length] ?? "done";
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => flow.client.post(PATH, { customer_id: customer, point_value: 100 })),
    );
    expect(answers.filter(({ status }) => status === 400).length).toBeGreaterThanOrEqual(6);
    flow.platform.fate = () => "done";
    await flow.settle();
    await flow.settle();
    const good = answers.filter(({ status }) => status === 200).map(({ body }) => body.data.code);
    expect(await flow.balance(customer)).toBe(1_000 - 100 * good.length);
    const titles = await flow.deps.db.query<{ code: string }>(
      "select code from coupon natural join customer_alias where storefront_id = $1",
      [customer],
    );
    expect(titles.map(({ code }) => code).sort()).toEqual([...good].sort());
    expect(flow.platform.codes()).toEqual(expect.arrayContaining(good));
  });

  test("nodes settle each of them once", async () => {
    const customers = await Promise.all(Array.from({ length: 6 }, () => flow.shopper()));
    for (const customer of customers) await flow.create(await flow.begin(500n, customer));
    flow.platform.calls.length = 0;
    await flow.lapse();
    await Promise.all([resolveCoupons(flow.deps), resolveCoupons(flow.deps), resolveCoupons(flow.deps)]);
    expect(flow.platform.calls.filter((call) => call === "discountCodeDelete")).toHaveLength(6);
    for (const customer of customers) await expectUntouched(customer);
  });
});
