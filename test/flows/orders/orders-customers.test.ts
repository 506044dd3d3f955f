import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assignWaitingOrders } from "../../../src/orders/assign-waiting-orders.ts";
import { upsertProduct } from "../../../src/orders/products/upsert-product.ts";
import { body, line, minute, refunded, shipped } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";

let flow: OrderFlow;
beforeAll(async () => {
  flow = await startOrderFlow({ program: { earning: { excluded_product_tags: ["No-Points"] } } });
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

/** 2,049 yen, 21 points, of which one bowl is 3. */
const LINES = [line("a", { price: 333, quantity: 3 }), line("b", { price: 1_050 })];
const RETURN = refunded(4, "r1", { lines: [["a", 1, 333]], moved: 333 });

let count = 0;
const next = () => `${++count}`;

describe("whose order it is", () => {
  const shippedAll = [body(1, LINES), shipped(2, "f1", { a: 3, b: 1 })];

  test("an order whose customer changes takes its points along, whichever statement comes first", async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const id = `x${next()}`;
      const [from, to] = [`${id}from`, `${id}to`];
      await flow.customer(from);
      const versions = [...ofOrder(id, from, [body(1, LINES)]), ...ofOrder(id, to, [body(5, LINES)])];
      const [shipment] = ofOrder(id, null, [shipped(2, "f1", { a: 3, b: 1 })]);
      const [first, second] = order.map((at) => versions[at]);
      if (first === undefined || second === undefined || shipment === undefined) throw new Error("too few events");
      await flow.take(first, shipment, second, first);
      expect([await flow.balance(from), await flow.balance(to)]).toEqual([0, 21]);
      expect(await flow.order(id)).toEqual({ awardable_points: 21, points_awarded: 21, points_redeemed: 0 });
      await flow.take(...ofOrder(id, to, [RETURN]));
      expect([await flow.balance(from), await flow.balance(to)]).toEqual([0, 18]);
    }
  });

  test("the new customer gets what the old one has not spent of them", async () => {
    await flow.take(...ofOrder("301", "c301", shippedAll));
    await flow.give("c301", -11);
    await flow.take(...ofOrder("301", "c302", [body(6, LINES)]));
    expect([await flow.balance("c301"), await flow.balance("c302")]).toEqual([0, 10]);
    expect(await flow.order("301")).toMatchObject({ awardable_points: 21, points_awarded: 21 });
  });

  test("a guest's order waits by e-mail for its customer, who may come at the same time", async () => {
    const guest = ofOrder("303", null, [
      body(1, LINES, { email: "Hana@example.com" }),
      shipped(2, "f1", { a: 3, b: 1 }),
    ]);
    await flow.take(...guest);
    expect(await flow.order("303")).toEqual({ awardable_points: 21, points_awarded: 0, points_redeemed: 0 });
    await flow.assignGuestOrders("c303", "hana@example.com");
    expect(await flow.balance("c303")).toBe(21);
    for (let n = 0; n < 10; n++) {
      const [id, email] = [`g${n}`, `g${n}@example.com`];
      const events = ofOrder(id, null, [body(1, LINES, { email }), shipped(2, "f1", { a: 3, b: 1 })]);
      await Promise.all([flow.take(...events), flow.assignGuestOrders(`c${id}`, email)]);
      expect(await flow.balance(`c${id}`)).toBe(21);
    }
  });

  test("it finds a customer too who got the e-mail through the interface", async () => {
    const guest = [body(1, LINES, { email: "put@example.com" }), shipped(2, "f1", { a: 3, b: 1 })];
    await flow.take(...ofOrder("305", null, guest));
    await flow.client.put("/api/storefront/customers/c306", { email: "Put@example.com" });
    expect(await assignWaitingOrders(flow.deps)).toBe(1);
    expect(await flow.balance("c306")).toBe(21);
    expect(await assignWaitingOrders(flow.deps)).toBe(0);
  });

  test("two customers with one e-mail: the order goes on waiting", async () => {
    await flow.take(
      ...ofOrder("304", null, [body(1, LINES, { email: "two@example.com" }), shipped(2, "f1", { a: 3, b: 1 })]),
    );
    await flow.customer("c304", { email: "two@example.com" });
    await flow.assignGuestOrders("c305", "two@example.com");
    expect([await flow.balance("c304"), await flow.balance("c305")]).toEqual([0, 0]);
  });
});

describe("the snapshot", () => {
  const shippedAll = [body(1, LINES), shipped(2, "f1", { a: 3, b: 1 })];

  test("an order earns by the program of its processed time, however late its events come", async () => {
    const later = await startOrderFlow();
    later.clock.advance({ hours: 1 });
    await later.program({ earning: { point_value: 10 } });
    await later.take(...ofOrder("1", "7", shippedAll));
    expect(await later.balance("7")).toBe(21);
    await later.stop();
  });

  test("an order earns at the tier that its customer had at its processed time", async () => {
    const rule = { currency_value: 100, currency_spent_requirement: 0 };
    const bronze = { name: "Bronze", default: true, point_value: 1, ...rule };
    const gold = { name: "Gold", default: false, point_value: 3, ...rule, currency_spent_requirement: 9_000_000 };
    const other = await startOrderFlow({ program: { tiers: { rules: [bronze, gold] } } });
    await other.customer("7");
    other.clock.set(minute(30));
    await other.client.post("/api/storefront/point_balances/7/tiers", { tier: "Gold" });
    await other.take(...ofOrder("1", "7", shippedAll));
    expect(await other.balance("7")).toBe(21);
    const late = { ...body(40, LINES), payload: { ...body(40, LINES).payload, processedAt: minute(40) } };
    await other.take(...ofOrder("2", "7", [late, shipped(41, "f1", { a: 3, b: 1 })]));
    expect(await other.balance("7")).toBe(21 + 62);
    await other.stop();
  });

  test("customers with an excluded tag earn nothing", async () => {
    const other = await startOrderFlow({ program: { earning: { excluded_customer_tags: ["Staff"] } } });
    await other.customer("7", { tags: ["staff"] });
    await other.take(...ofOrder("1", "7", shippedAll));
    expect(await other.order("1")).toEqual({ awardable_points: 0, points_awarded: 0, points_redeemed: 0 });
    await other.stop();
  });

  test("what a product's tags were then is kept with the order", async () => {
    const lines = [line("a", { price: 1_000, productId: "p1" })];
    const product = (at: number, tags: string[]) =>
      flow.deps.db.tx((tx) =>
        upsertProduct(tx, flow.deps, {
          entityVersion: minute(at),
          payload: { productId: "p1", tags },
        }),
      );
    await product(2, ["no-points"]);
    await product(1, ["older"]);
    await flow.take(...ofOrder("401", "c401", [body(1, lines), shipped(2, "f1", { a: 1 })]));
    expect(await flow.balance("c401")).toBe(0);
    await product(3, []);
    await flow.take(...ofOrder("401", "c401", [body(5, lines)]));
    expect(await flow.balance("c401")).toBe(0);
    await flow.take(...ofOrder("402", "c401", [body(1, lines), shipped(2, "f1", { a: 1 })]));
    expect(await flow.balance("c401")).toBe(10);
  });
});
