import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJsonText } from "./json-source.ts";
import type { NeutralEvent } from "./neutral-events.ts";
import { parseNeutralEvents, translateNeutral, type WireEvent, type WireParse } from "./neutral-wire.ts";

const RECEIVED = Temporal.Instant.from("2026-05-01T00:00:00Z");
const CONTEXT = { receivedAt: RECEIVED, currency: "JPY" };

function parse(text: string): WireParse {
  const json = parseJsonText(text);
  if (!json.ok) throw new Error("the test's text is not JSON");
  return parseNeutralEvents(json.value, CONTEXT);
}

function eventsOf(text: string): readonly WireEvent[] {
  const result = parse(text);
  expect(result).toMatchObject({ ok: true });
  return result.ok ? result.events : [];
}

const payloadOf = (type: string, payload: object): NeutralEvent["payload"] | undefined =>
  eventsOf(JSON.stringify({ type, payload }))[0]?.event.payload;

const yen = (minor: number | string) => ({ minor, currency: "JPY" });

describe("forms of the body", () => {
  const one = '{"type":"OrderDeleted","payload":{"order_id":820982911946154508}}';

  test("one, a list, a list under events", () => {
    for (const text of [one, `[${one}]`, `{"events":[${one}]}`]) {
      expect(eventsOf(text).map(({ event }) => event)).toEqual([
        {
          type: "OrderDeleted",
          platform: "manual",
          subject: "order/820982911946154508",
          factKey: "order-deleted/820982911946154508",
          occurredAt: RECEIVED,
          receivedAt: RECEIVED,
          entityVersion: RECEIVED,
          sourceTopic: "OrderDeleted",
          test: false,
          payload: { orderId: "820982911946154508" },
        },
      ]);
    }
    expect(eventsOf("[]")).toEqual([]);
  });

  test("1,000 events are taken, 1,001 are not", () => {
    expect(eventsOf(`[${Array(1000).fill(one).join(",")}]`)).toHaveLength(1000);
    expect(parse(`[${Array(1001).fill(one).join(",")}]`)).toMatchObject({ ok: false, faults: [{ pointer: "" }] });
  });

  test("the text of an event gives the event again, every digit kept", () => {
    const [event] = eventsOf(`[${one}]`);
    expect(event?.text).toBe(one);
    expect(event?.deliveryKey).toMatch(/^[0-9a-f]{64}$/);
    const again = translateNeutral(Buffer.from(event?.text ?? ""), CONTEXT);
    expect(again).toEqual({ ok: true, events: [event?.event] });
  });

  test("a delivery_key of the sender is its key", () => {
    expect(eventsOf(one.replace("{", '{"delivery_key":"d-1",'))[0]?.deliveryKey).toBe("d-1");
  });
});

const money = (minor: bigint) => ({ minor, currency: "JPY" });

const ORDER = {
  order_id: "A-1",
  order_name: "#1",
  customer_id: 7,
  email: "Hana@Example.com",
  processed_at: "2026-03-02T01:00:00",
  updated_at: "2026-03-02T10:00:00+09:00",
  financial_status: "paid",
  fulfillment_status: "unknown",
  shop_currency: "JPY",
  taxes_included: true,
  tax_exempt: false,
  total: yen("1250"),
  outstanding: null,
  lines: [
    {
      line_id: 1,
      quantity: 2,
      unit_price: yen(700),
      discounts: [{ code: "TEN", amount: yen(150) }],
      tags: ["tea"],
    },
  ],
  coupons: [{ code: "TEN", amount: yen(150) }],
  refunds: [{ refund_id: "r", money_moved: null }],
};

const FACTS = {
  orderId: "A-1",
  orderName: "#1",
  customerId: "7",
  email: "hana@example.com",
  processedAt: Temporal.Instant.from("2026-03-02T01:00:00Z"),
  updatedAt: Temporal.Instant.from("2026-03-02T01:00:00Z"),
  financialStatus: "paid",
  shopCurrency: "JPY",
  taxesIncluded: true,
  total: money(1250n),
  lines: [
    {
      lineId: "1",
      productId: null,
      variantId: null,
      title: "",
      quantity: 2,
      currentQuantity: null,
      unitPrice: money(700n),
      discounts: [{ code: "TEN", discountRef: "", amount: money(150n) }],
      tax: money(0n),
      kind: "product",
      tags: ["tea"],
    },
  ],
  coupons: [{ code: "TEN", amount: money(150n), type: "fixed_amount" }],
  fulfillments: [],
  refunds: [
    {
      refundId: "r",
      createdAt: RECEIVED,
      lines: [],
      shipping: money(0n),
      shippingTax: money(0n),
      otherAdjustments: money(0n),
      moneyMoved: null,
    },
  ],
};

test("all fields of an order are read", () => {
  expect(payloadOf("OrderPlaced", ORDER)).toEqual(FACTS);
});

describe("orders", () => {
  test("an absent field is unknown, null is none", () => {
    expect(payloadOf("OrderUpdated", { order_id: "1", customer_id: null })).toEqual({
      orderId: "1",
      customerId: null,
      fulfillments: [],
      refunds: [],
    });
  });

  test("OrderPaid says that it is paid", () => {
    expect(payloadOf("OrderPaid", { order_id: "1" })).toMatchObject({ financialStatus: "paid", paidAt: RECEIVED });
  });

  test("a shipment and a refund default to what is usual", () => {
    const fulfillment = { fulfillment_id: "s", lines: [{ line_id: "l", quantity: 1 }] };
    expect(payloadOf("OrderFulfilled", { order_id: "1", fulfillment })).toMatchObject({
      fulfillment: { status: "success", createdAt: RECEIVED, updatedAt: RECEIVED },
    });
    const refund = { refund_id: "r", lines: [{ line_id: "l", quantity: 1, subtotal: { minor: 5, currency: "BHD" } }] };
    expect(payloadOf("OrderRefunded", { order_id: "1", refund })).toMatchObject({
      refund: { moneyMoved: null, shipping: { minor: 0n, currency: "BHD" } },
    });
  });
});

describe("the other types", () => {
  test.each<[string, object, object]>([
    ["CustomerDeleted", { customer_id: 1 }, { customerId: "1", reason: "deleted" }],
    ["CustomerMerged", { kept_id: "a", removed_id: "b" }, { keptId: "a", removedId: "b" }],
    ["OrderCancelled", { order_id: "1" }, { orderId: "1", cancelledAt: RECEIVED, reason: null }],
    [
      "ProductUpserted",
      { product_id: 5, tags: ["a", " a "], collections: [77] },
      { productId: "5", tags: ["a"], collections: ["77"] },
    ],
    [
      "CouponUsed",
      { code: "X", order_id: 1, amount: yen(5) },
      { code: "X", orderId: "1", amount: { minor: 5n, currency: "JPY" } },
    ],
    ["CouponDeleted", { code: "X" }, { discountRef: null, code: "X", reason: "discount_deleted" }],
    ["CouponReleased", { code: "X" }, { code: "X", cartId: null }],
    ["CouponReleased", { code: "X", cart_id: 7 }, { code: "X", cartId: "7" }],
    [
      "FlowAdjustRequested",
      { run_id: "r", customer: { email: "A@b.c" }, point_value: -5 },
      { runId: "r", customer: { email: "a@b.c" }, pointValue: -5n, extendsExpiration: false, note: null },
    ],
    ["ShopRedacted", { shop_id: 1 }, { shopId: "1" }],
    [
      "CustomerDataRequested",
      { request_id: 1, customer_id: 2, orders: [3] },
      { requestId: "1", customerId: "2", orders: ["3"] },
    ],
  ])("%s", (type, payload, expected) => {
    expect(payloadOf(type, payload)).toEqual(expected);
  });

  test("a customer: consent is as old as the event where it does not say", () => {
    const said = { customer_id: 1, name_reading: "やまだ", accepts_marketing: true, birthday: "--02-29" };
    expect(payloadOf("CustomerUpserted", said)).toEqual({
      customerId: "1",
      nameReading: "やまだ",
      acceptsMarketing: true,
      consentUpdatedAt: RECEIVED,
      birthday: "--02-29",
    });
  });
});

describe("faults name the field and what was expected", () => {
  test("all faults of all events at once", () => {
    const result = parse(
      JSON.stringify([
        {
          type: "OrderPaid",
          payload: { order_id: "", lines: [{ line_id: 1, quantity: "2", unit_price: yen("1,5") }] },
        },
        { type: "OrderGone", payload: {} },
        { type: "CustomerUpserted", payload: { custmer_id: 1, accepts_marketing: "yes" } },
      ]),
    );
    expect(result.ok ? [] : result.faults.map(({ pointer }) => pointer)).toEqual([
      "/0/payload/order_id",
      "/0/payload/lines/0/quantity",
      "/0/payload/lines/0/unit_price/minor",
      "/1/type",
      "/2/payload/custmer_id",
      "/2/payload/customer_id",
      "/2/payload/accepts_marketing",
    ]);
    expect(result.ok ? "" : result.faults[1]?.detail).toContain("a number from 0 to");
  });

  test.each<[string, string, object, string]>([
    ["never coerced", "OrderPaid", { order_id: true }, "/payload/order_id"],
    ["no float as an id", "OrderPaid", { order_id: 1.5 }, "/payload/order_id"],
    [
      "two currencies",
      "OrderPaid",
      { order_id: 1, shop_currency: "JPY", total: { minor: 1, currency: "USD" } },
      "/payload/total/currency",
    ],
    ["U+0000", "OrderCancelled", { order_id: 1, reason: "a\u0000" }, "/payload/reason"],
    ["a lone surrogate", "OrderCancelled", { order_id: 1, reason: "\ud800" }, "/payload/reason"],
    ["no such day", "CustomerUpserted", { customer_id: 1, birthday: "2023-02-30" }, "/payload/birthday"],
    ["no points", "FlowAdjustRequested", { run_id: "r", customer: { id: 1 }, point_value: 0 }, "/payload/point_value"],
    [
      "points as text",
      "FlowAdjustRequested",
      { run_id: "r", customer: { id: 1 }, point_value: "5" },
      "/payload/point_value",
    ],
    ["a merge with itself", "CustomerMerged", { kept_id: 1, removed_id: "1" }, "/payload/removed_id"],
    ["a coupon without a name", "CouponDeleted", {}, "/payload/code"],
    [
      "a line twice",
      "OrderPaid",
      { order_id: 1, fulfillments: [1, 1].map((id) => ({ fulfillment_id: id, lines: [] })) },
      "/payload",
    ],
    ["no payload", "OrderDeleted", [], "/payload"],
  ])("%s", (_, type, payload, pointer) => {
    const result = parse(JSON.stringify({ type, payload }));
    expect(result.ok ? [] : result.faults.map((fault) => fault.pointer)).toContain(pointer);
  });

  test("whatever the JSON, parsing never throws", () => {
    const types = fc.constantFrom("OrderPaid", "OrderFulfilled", "CustomerUpserted", "FlowAdjustRequested", "x");
    const value = fc.oneof(fc.jsonValue(), fc.record({ type: types, payload: fc.jsonValue() }));
    fc.assert(
      fc.property(value, (body) => {
        const result = parse(JSON.stringify(body));
        expect(result.ok || result.faults.length > 0).toBe(true);
      }),
    );
  });
});

test("every example of the documentation is taken", () => {
  const page = readFileSync(new URL("../../docs/intake-events.md", import.meta.url), "utf8");
  const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");
  expect(examples.length).toBeGreaterThan(4);
  for (const example of examples) expect(eventsOf(example).length).toBeGreaterThan(0);
});
