import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { timeCursor } from "../../src/admin/list.ts";
import { processAllReceipts } from "../../src/intake/process-all-receipts.ts";
import { applyOrderEvent } from "../../src/orders/apply-order-event.ts";
import type { OrderEvent } from "../../src/orders/facts/merge-facts.ts";
import { aggregateSales } from "../../src/sales/aggregate-sales.ts";
import { yen } from "../support/explain.ts";
import { body, cancelled, line, minute, money, refunded, shipped } from "../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../support/order-flow.ts";
import { sale } from "../support/order-sale.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

let flow: OrderFlow;
let viewer: AdminClient;
let support: AdminClient;

beforeAll(async () => {
  flow = await startOrderFlow({
    program: { earning: { excluded_product_tags: ["No Points"], excluded_customer_tags: ["staff"] } },
  });
  viewer = await signIn(flow, "viewer");
  support = await signIn(flow, "support");
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

/** Many events in one transaction: one commit for all. */
async function takeAtOnce(events: readonly OrderEvent[]): Promise<void> {
  await flow.deps.db.tx(async (tx) => {
    for (const event of events) await applyOrderEvent(tx, flow.deps, event);
  });
}

async function order(id: string) {
  const { status, body: answer } = await viewer.get(`/orders/${id}`);
  expect(status).toBe(200);
  return answer.data;
}

describe("the list of orders", () => {
  const ids = async (query: string) =>
    (await viewer.get(`/orders?${query}`)).body.data.map((row: { order_id: string }) => row.order_id);

  beforeAll(async () => {
    await flow.customer("mina", { email: "mina@tea.example" });
    const at = (n: number) => ({ processedAt: minute(-n), orderName: `#${2_000 + n}`, total: money(1_000) });
    await flow.take(...sale("awarded", "mina", 1_000, at(1)));
    await flow.take(...ofOrder("pending", "mina", [body(1, [line("a", { price: 500 })], at(2))]));
    await flow.take(...sale("waiting", null, 700, { ...at(3), email: "guest@tea.example" }));
    await flow.take(...sale("foreign", "mina", 10, at(4)).map(inDollars));
    await flow.take(...sale("cancelled", "mina", 900, at(5)), ...ofOrder("cancelled", "mina", [cancelled(9)]));
    const gift = [line("a", { price: 900, kind: "gift_card" })];
    await flow.take(...ofOrder("gift", "mina", [body(1, gift, at(6)), shipped(2, "f", { a: 1 })]));
    await flow.take(...ofOrder("tried", "mina", [body(1, [line("a", { price: 1 })], { ...at(7), test: true })]));
  });

  function inDollars(event: OrderEvent): OrderEvent {
    if (event.type !== "OrderUpdated") return event;
    const lines = [line("a", { price: 10, currency: "USD" })];
    return { ...event, payload: { ...event.payload, lines, shopCurrency: "USD", total: money(10, "USD") } };
  }

  test("says how many orders the filters show, also on a later page, but of sales only if they are on one", async () => {
    const totalOf = async (query: string) => (await viewer.get(`/orders?${query}`)).body.total;
    const all = (await ids("")).length;
    expect(await totalOf("")).toBe(all);
    expect(await totalOf("state=pending")).toBe(1);
    expect(await totalOf("state=sale")).toBe((await ids("state=sale")).length);
    const later = (n: number) => new URLSearchParams({ after: timeCursor.format({ at: minute(-n), id: "a" }) });
    expect(await totalOf(`${later(3)}`)).toBe(all);
    expect(await totalOf(`state=cancelled&${later(9)}`)).toBe(1);
    expect(await totalOf("q=guest@tea.example")).toBe(1);
    expect(await totalOf(`state=sale&${later(3)}`)).toBeNull();
  });

  test("newest processed first, each with its state and points", async () => {
    const { data } = (await viewer.get("/orders")).body;
    const states = data.map(({ order_id, state, awardable_points, points_awarded }: Record<string, unknown>) => [
      ...[order_id, state, awardable_points, points_awarded],
    ]);
    expect(states).toEqual([
      ["awarded", "awarded", 10, 10],
      ["pending", "pending", 5, 0],
      ["waiting", "waiting", 7, 0],
      ["foreign", "other_currency", 0, 0],
      ["cancelled", "cancelled", 0, 0],
      ["gift", "nothing", 0, 0],
      ["tried", "test", 0, 0],
    ]);
    expect(data[0]).toMatchObject({
      name: "#2001",
      customer: { id: "mina", email: "mina@tea.example", is_deleted: false },
      total: { minor: 1_000, currency: "JPY" },
      email: null,
    });
    expect(data[2]).toMatchObject({ customer: null, email: "guest@tea.example" });
    expect(data[3].total).toEqual({ minor: 10, currency: "USD" });
  });

  test("filters by state, customer, day, and together", async () => {
    expect(await ids("state=pending")).toEqual(["pending"]);
    expect(await ids("state=waiting")).toEqual(["waiting"]);
    expect(await ids("customer=mina@tea.example&state=test")).toEqual(["tried"]);
    expect(await ids("customer=mina")).toEqual(["awarded", "pending", "foreign", "cancelled", "gift", "tried"]);
    expect(await ids("to=2026-02-28")).toEqual([]);
    expect(await ids("from=2026-03-02")).toEqual([]);
    expect(await ids("from=2026-03-01&to=2026-03-01")).toHaveLength(7);
    expect(await ids("to=2026-02-28T23:56:30Z")).toEqual(["foreign", "cancelled", "gift", "tried"]);
  });

  test("filters by what counts as a sale, and whose it is", async () => {
    expect(await ids("state=sale")).toEqual(["awarded", "pending", "waiting", "gift"]);
    expect(await ids("state=customer_sale")).toEqual(["awarded", "pending", "gift"]);
    expect(await ids("state=guest_sale")).toEqual(["waiting"]);
    await aggregateSales(flow.deps);
    const { data } = (await viewer.get("/growth/guests")).body;
    const counted = data.reduce(
      (sum: number, { customers, guests }: Record<string, { orders: number }>) =>
        sum + (customers?.orders ?? 0) + (guests?.orders ?? 0),
      0,
    );
    expect(counted).toBe(4);
  });

  test("a search finds an id, a name with or without its sign, how a name begins, and a buyer's e-mail", async () => {
    expect(await ids("q=pending")).toEqual(["pending"]);
    expect(await ids("q=%232004")).toEqual(["foreign"]);
    expect(await ids("q=2004")).toEqual(["foreign"]);
    expect(await ids("q=200")).toHaveLength(7);
    expect(await ids("q=200&state=cancelled")).toEqual(["cancelled"]);
    expect(await ids("q=Guest@tea.example")).toEqual(["waiting"]);
    expect(await ids("q=mina@tea.example")).toHaveLength(6);
    expect(await ids("q=20%25")).toEqual([]);
  });

  test("a name is found though hundreds begin with it", async () => {
    const named = (id: string, n: number, orderName: string) =>
      ofOrder(id, "buyer-of-nine", [body(1, [], { orderName, processedAt: minute(n), paid: false })]);
    const longer = Array.from({ length: 510 }, (_, n) => named(`nine-${n}`, n - 20_000, `#9${n}`));
    await takeAtOnce([...longer.flat(), ...named("nine", -30_000, "#9")]);
    const pages: string[] = [];
    for (let after = ""; ; ) {
      const page = (await viewer.get(`/orders?q=9${after}`)).body;
      pages.push(...page.data.map((row: { order_id: string }) => row.order_id));
      if (page.next === null) break;
      after = `&after=${encodeURIComponent(page.next)}`;
    }
    expect(pages).toContain("nine");
    const totalOf = async (query: string) => (await viewer.get(`/orders?${query}`)).body.total;
    expect([await totalOf("q=9"), await totalOf("q=9&state=cancelled")]).toEqual([null, null]); // 500 of 511 are looked at
    expect([await totalOf("q=91"), await totalOf("q=91&state=cancelled")]).toEqual([111, 0]);
  });

  test("what cannot be read is named", async () => {
    const bad = await viewer.get("/orders?state=lost&from=today&customer=nobody");
    expect([bad.status, bad.body.errors[0].source.parameter]).toEqual([422, "state"]);
    const worse = await viewer.get("/orders?from=today&customer=nobody");
    expect(worse.body.errors.map((fault: { source: { parameter: string } }) => fault.source.parameter)).toEqual([
      "from",
      "customer",
    ]);
    expect((await viewer.get("/orders?after=x")).status).toBe(422);
  });

  test("pages of 50 follow one another without a gap, also where many were processed at one instant", async () => {
    const orders = Array.from({ length: 120 }, (_, n) =>
      sale(`many-${n}`, "buyer-of-many", 100, { processedAt: minute(n >> 4) }),
    );
    await takeAtOnce(orders.flat());
    const seen: string[] = [];
    for (let after = ""; ; ) {
      const page = (await viewer.get(`/orders?customer=buyer-of-many${after}`)).body;
      seen.push(...page.data.map((row: { order_id: string }) => row.order_id));
      if (page.next === null) break;
      expect(page.data).toHaveLength(50);
      after = `&after=${encodeURIComponent(page.next)}`;
    }
    const rows = await flow.deps.db.query<{ id: string }>(
      "select order_id as id from store_order where order_id like 'many-%' order by processed_at desc, order_id desc",
    );
    expect(seen).toEqual(rows.map(({ id }) => id));
  });
});

describe("an order", () => {
  test("shows what it is made of: lines and why they earn, shipments, refunds, coupons, allotments, rules", async () => {
    await flow.customer("rin");
    await flow.give("rin", 500);
    const coupon = await flow.coupon("rin", 300);
    const lines = [
      line("a", { price: 1_000, quantity: 2, discounts: [[coupon.code, 300]] }),
      line("b", { price: 800, kind: "gift_card" }),
    ];
    const coupons = [{ code: coupon.code, amount: money(300), type: "fixed_amount" }];
    const events = [body(1, lines, { orderName: "#77", coupons }), shipped(2, "f", { a: 2, b: 1 })];
    const back = refunded(3, "r", { lines: [["a", 1, 850]], moved: 850 });
    await flow.take(...ofOrder("whole", "rin", [...events, back]));
    const shown = await order("whole");
    expect(shown).toMatchObject({
      name: "#77",
      state: "awarded",
      customer: { id: "rin" },
      awardable_points: 9,
      points_awarded: 9,
      points_redeemed: 300,
      forgiven_points: 0,
      owed_points: 0,
    });
    expect(shown.lines).toMatchObject([
      {
        line_id: "a",
        gross: 2_000,
        discount: 300,
        base: 1_700,
        left: "0.5",
        points_exact: "8.5",
        points_given: 17,
        points_taken: -8,
      },
      { line_id: "b", base: 0, rate: null, points_given: 0, points_taken: 0, excluded_by: "goods_only" },
    ]);
    expect(shown.rules).toMatchObject({
      program_version: 2,
      tier: "Bronze",
      rate: { point_value: 1, currency_value: 100 },
      campaign: null,
      excluded_product_tags: ["no points"],
    });
    expect(shown.fulfillments).toMatchObject([{ id: "whole-f", status: "success" }]);
    expect(shown.refunds).toMatchObject([{ id: "whole-r", money_moved: 850, lines: [{ line_id: "a", quantity: 1 }] }]);
    expect(shown.coupons).toMatchObject([{ code: coupon.code, points: 300, returned_points: 150, is_late: false }]);
    const [used] = (await viewer.get("/customers/rin/coupons")).body.data;
    expect(used).toMatchObject({ state: "used", used_by: "whole", used_by_name: "#77" });
    const posted = shown.postings.filter(({ uid }: { uid: string | null }) => uid !== null);
    const listed = (await viewer.get("/ledger?order=whole")).body.data;
    const byName = listed.filter(({ order_id }: { order_id: string | null }) => order_id !== null);
    expect(byName[0]).toMatchObject({ order_id: "whole", order_name: "#77" });
    const timeline = (await viewer.get("/customers/rin/ledger?type=fulfillment")).body.data;
    expect(timeline[0]).toMatchObject({ parent: "order-whole", order_name: "#77" });
    expect(new Set(posted.map(({ uid }: { uid: string }) => uid))).toEqual(
      new Set(listed.map(({ uid }: { uid: string }) => uid)),
    );
  });

  test("shows the events that built it, in the order in which they came", async () => {
    const payload = {
      order_id: "told",
      customer_id: "aki",
      processed_at: "2026-03-01T00:00:00Z",
      shop_currency: "JPY",
      lines: [{ line_id: "a", title: "Tea", quantity: 1, unit_price: yen(1_000) }],
    };
    const told = { occurred_at: "2026-03-01T00:00:00Z", payload };
    const gone = { fulfillment_id: "t1", lines: [{ line_id: "a", quantity: 1 }] };
    const sent = { ...told, type: "OrderFulfilled", payload: { order_id: "told", fulfillment: gone } };
    for (const event of [{ ...told, type: "OrderPaid" }, sent]) {
      expect((await flow.client.post("/intake/events", [event])).status).toBe(202);
      await processAllReceipts(flow.deps);
    }
    const { receipts, points_awarded } = await order("told");
    expect(receipts.map(({ topic, state }: Record<string, string>) => [topic, state])).toEqual([
      ["OrderPaid", "done"],
      ["OrderFulfilled", "done"],
    ]);
    expect(points_awarded).toBe(10);
  });

  test("one that nobody told of is not found", async () => {
    expect((await viewer.get("/orders/nothing")).status).toBe(404);
    expect((await support.get("/orders/nothing/recompute")).status).toBe(404);
    expect((await support.post("/orders/nothing/recompute", { digest: "x" })).status).toBe(404);
  });
});
