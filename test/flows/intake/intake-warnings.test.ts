import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { IntakeService } from "../../support/intake.ts";
import { line, order, sendEvents, ships, startUsdStore, usd } from "../../support/usd-orders.ts";

// An event that contradicts itself is accepted with warnings.

let service: IntakeService;

beforeAll(async () => {
  service = await startUsdStore();
});
afterAll(() => service.stop());

const send = (...events: readonly object[]) => sendEvents(service, events);

async function balance(id: string): Promise<number> {
  return (await service.client.get(`/api/storefront/point_balance/C-${id}`)).body.data?.point_balance;
}

describe("contradictions are accepted with warnings", () => {
  async function warningsOf(more: object, id = "W-1"): Promise<{ pointer: string; detail: string }[]> {
    const answer = await service.client.post("/intake/events", order({ id, more }));
    expect([answer.status, answer.body.errors]).toEqual([202, undefined]);
    await service.drain();
    return answer.body.data[0].warnings ?? [];
  }
  const lines = [line("a", 1000, 2)];

  test.each<[string, object, string]>([
    ["a subtotal", { lines, subtotal: usd(1500) }, "/payload/subtotal"],
    ["a total", { lines, total: usd(99_999) }, "/payload/total"],
    ["a total below the lines", { lines, total: usd(1999), shipping_total: usd(0) }, "/payload/total"],
    ["tax that no line has", { lines, tax_total: usd(200), total: usd(2200) }, "/payload/tax_total"],
    ["a discount that no line carries", { lines, discount_total: usd(100) }, "/payload/discount_total"],
    ["a code that no line carries", { lines, coupons: [{ code: "X", amount: usd(100) }] }, "/payload/coupons"],
    [
      "discounts above the price",
      { lines: [line("a", 100, 1, { discounts: [{ amount: usd(101) }] })] },
      "/payload/lines/0/discounts",
    ],
    [
      "a fulfilment without lines",
      { lines, fulfillments: [{ fulfillment_id: "W", lines: [] }] },
      "/payload/fulfillments/0/lines",
    ],
    [
      "a fulfilment that says no lines",
      { lines, fulfillments: [{ fulfillment_id: "W2" }] },
      "/payload/fulfillments/0/lines",
    ],
    [
      "a fulfilment of another line",
      { lines, fulfillments: [{ fulfillment_id: "W3", lines: ships(["b", 1]) }] },
      "/payload/fulfillments/0/lines/0/line_id",
    ],
    [
      "more shipped than ordered",
      { lines, fulfillments: [{ fulfillment_id: "W4", lines: ships(["a", 3]) }] },
      "/payload/lines/0/quantity",
    ],
    ["partial, by nothing", { lines, fulfillment_status: "partial" }, "/payload/fulfillment_status"],
    ["a guest as 0", { lines, customer_id: 0 }, "/payload/customer_id"],
    ['a guest as "0"', { lines, customer_id: "0" }, "/payload/customer_id"],
  ])("%s", async (_, more, pointer) => {
    const warnings = await warningsOf(more);
    expect(warnings).toEqual([{ pointer, detail: expect.stringMatching(/\w/) }]);
  });

  test("an order in another currency than the store's", async () => {
    const euros = {
      order_id: "W-2",
      shop_currency: "EUR",
      lines: [{ line_id: "a", quantity: 1, unit_price: { minor: 1, currency: "EUR" } }],
    };
    const answer = await service.client.post("/intake/events", { events: [{ type: "OrderPaid", payload: euros }] });
    expect(answer.body.data[0].warnings).toEqual([
      { pointer: "/events/0/payload/shop_currency", detail: expect.stringContaining("EUR") },
    ]);
  });

  test("orders that add up are told nothing", async () => {
    const taxed = [line("a", 1000, 2, { tax: usd(200) }), line("t", 300, 1, { kind: "tip" })];
    const sums = { subtotal: usd(2000), shipping_total: usd(500), tax_total: usd(250), total: usd(3050) };
    expect(await warningsOf({ lines: taxed, ...sums }, "W-3")).toEqual([]);
    const included = { taxes_included: true, subtotal: usd(2300), tax_total: usd(200), total: usd(2300) };
    expect(await warningsOf({ lines: taxed, ...included }, "W-4")).toEqual([]);
    expect(await warningsOf({ lines: [line("a", 333, 1.5)], subtotal: usd(499), total: usd(499) }, "W-5")).toEqual([]);
    expect(await warningsOf({}, "W-6")).toEqual([]);
  });

  test("guests under 0 share no customer: each order waits for its e-mail", async () => {
    const events = ["a", "b"].map((name) =>
      order({
        id: `G-${name}`,
        more: { lines, customer_id: "0", email: `${name}@example.com`, fulfillment_status: "fulfilled" },
      }),
    );
    await send(...events);
    expect((await service.client.get("/api/storefront/point_balance/0")).status).toBe(404);
    await send({ type: "CustomerUpserted", payload: { customer_id: "C-G-a", email: "A@example.com" } });
    expect(await balance("G-a")).toBe(20);
  });

  test("warnings are kept with the receipt, once", async () => {
    const event = order({ id: "K-1", more: { lines, subtotal: usd(1) } });
    for (const _ of [1, 2]) {
      const answer = await service.client.post("/intake/events", [event]);
      expect(answer.body.data[0].warnings).toHaveLength(1);
    }
    const kept = await service.deps.db.query<{ warnings: object }>(
      "select w.warnings from receipt_warning w join receipt r on r.uid = w.uid where r.subject = 'order/K-1'",
    );
    expect(kept).toMatchObject([{ warnings: [{ pointer: "/payload/subtotal" }] }]);
  });
});
