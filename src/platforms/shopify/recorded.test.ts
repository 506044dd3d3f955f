import { describe, expect, test } from "vitest";
import { recorded, recordedPayloads } from "../../../test/fixtures/shopify/recorded.ts";
import type { NeutralEvent, OrderFacts, RefundFact } from "../neutral-events.ts";
import type { Translation } from "../platform.ts";
import { translate } from "./translate.ts";

const RECEIVED = Temporal.Instant.from("2026-05-01T00:00:00Z");

/** Recorded bodies that cannot be taken, and the field that says why. */
const QUARANTINED: Record<string, string> = {
  "gadget-exemplar-2025-04-orders-fulfilled-types-only.json": "/currency",
  "gadget-exemplar-2025-04-refunds-create-types-only.json": "/order_adjustments/0/amount",
};

function translateBytes(topic: string, rawBody: Uint8Array): Translation {
  const headers = new Map([["x-shopify-topic", topic]]);
  return translate({ headers, rawBody, receivedAt: RECEIVED, currency: "JPY" });
}

function translateFile(name: string): Translation {
  const { topic, bytes } = recorded(name);
  return translateBytes(topic, bytes);
}

function eventsOf(name: string): readonly NeutralEvent[] {
  const translation = translateFile(name);
  expect(translation).toMatchObject({ ok: true });
  return translation.ok ? translation.events : [];
}

function orderOf(name: string): OrderFacts {
  for (const event of eventsOf(name)) {
    if (event.type === "OrderUpdated") return event.payload;
  }
  throw new Error(`${name} states no order`);
}

function refundOf(name: string): RefundFact {
  for (const event of eventsOf(name)) {
    if (event.type === "OrderRefunded") return event.payload.refund;
  }
  throw new Error(`${name} states no refund`);
}

const minorOf = (money: { minor: bigint } | null | undefined): bigint => money?.minor ?? 0n;
const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);

test.each(recordedPayloads().map(({ file }) => file))("%s: taken or quarantined as expected", (name) => {
  const translation = translateFile(name);
  const fault = QUARANTINED[name];
  if (fault === undefined) expect(translation).toMatchObject({ ok: true });
  else expect(translation).toMatchObject({ ok: false, fault: expect.stringContaining(fault) });
});

test.each([
  ["shopify-ref-2026-04-order_transactions-create.json"],
  ["shopify-ref-2026-04-returns-close.json"],
  ["shopify-ref-2026-04-customers-purchasing_summary.json"],
  ["shopify-ref-2026-04-customers_marketing_consent-update.json"],
  ["shopify-ref-2026-04-discounts-create.json"],
  ["shopify-ref-2026-04-discounts-redeemcode_added.json"],
  ["shopify-ref-2026-04-discounts-update.json"],
  ["shopify-ref-2026-04-customers-merge.json"],
])("%s says nothing to us", (name) => {
  expect(translateFile(name)).toEqual({ ok: true, events: [] });
});

describe("ids beyond 2^53 stay digit for digit", () => {
  test.each(["create", "paid", "updated", "fulfilled", "cancelled"])("orders/%s", (topic) => {
    const order = orderOf(`shopify-ref-2026-04-orders-${topic}.json`);
    expect(order.orderId).toBe("820982911946154508");
    expect(order.customerId).toBe("115310627314723954");
    expect(order.lines?.map((line) => line.lineId)).toEqual([
      "487817672276298554",
      "789012345678901234",
      "890123456789012345",
      "976318377106520349",
      "315789986012684393",
    ]);
  });

  test("of fulfillments, edits, deletions and customers", () => {
    expect(eventsOf("shopify-ref-2026-04-fulfillments-update.json")).toMatchObject([
      {
        type: "OrderFulfilled",
        subject: "order/820982911946154508",
        payload: { fulfillment: { fulfillmentId: "123456", status: "pending" } },
      },
    ]);
    expect(eventsOf("shopify-ref-2026-04-orders-edited.json")).toMatchObject([
      {
        type: "OrderEdited",
        payload: {
          orderId: "820982911946154508",
          additions: [{ lineId: "78643924236718240", delta: 1 }],
          removals: [{ lineId: "487817672276298560", delta: 1 }],
        },
      },
    ]);
    expect(eventsOf("shopify-ref-2026-04-orders-delete.json")).toMatchObject([
      { type: "OrderDeleted", payload: { orderId: "820982911946154508" } },
    ]);
    expect(eventsOf("shopify-ref-2026-04-customers-delete.json")).toMatchObject([
      { type: "CustomerDeleted", payload: { customerId: "706405506930370084", reason: "deleted" } },
    ]);
  });

  test("a rounded id gives way to the gid beside it", () => {
    const text = Buffer.from(recorded("shopify-ref-2026-04-orders-create.json").bytes).toString("utf8");
    const rounded = text.replace('"id": 820982911946154508', '"id": 820982911946154500');
    const translation = translateBytes("orders/create", Buffer.from(rounded));
    expect(translation.ok && translation.events.at(-1)?.subject).toBe("order/820982911946154508");
  });
});

describe("orders", () => {
  test.each([
    ["shopify-docs-2026-07-orders-create-EUR-tax.json", "EUR", 22497n, 1350n, 23847n],
    ["shopify-docs-2026-07-orders-create-discount-code.json", "USD", 18109n, 0n, 18109n],
    ["shopify-docs-2026-07-orders-create-partially-paid.json", "USD", 19900n, 0n, 19900n],
  ])("%s: the identities hold", (name, currency, subtotal, tax, sum) => {
    const order = orderOf(name);
    const lines = order.lines ?? [];
    const gross = total(lines.map((line) => line.unitPrice.minor * BigInt(line.quantity)));
    const taken = total(lines.flatMap((line) => line.discounts.map(({ amount }) => amount.minor)));
    expect(order.shopCurrency).toBe(currency);
    expect([minorOf(order.subtotal), minorOf(order.taxTotal), minorOf(order.total)]).toEqual([subtotal, tax, sum]);
    expect(gross - taken).toBe(subtotal);
    expect(total(lines.map((line) => line.tax.minor))).toBe(tax);
    expect(subtotal + tax + minorOf(order.shippingTotal) + minorOf(order.tipTotal)).toBe(sum);
    expect(order.taxesIncluded).toBe(false);
  });

  test("a draft order's manual discount counts for its code, line by line", () => {
    const order = orderOf("shopify-docs-2026-07-orders-create-discount-code.json");
    expect(order.coupons).toEqual([{ code: "FAKE30", amount: { minor: 1791n, currency: "USD" }, type: "percentage" }]);
    expect(order.lines?.[0]?.discounts).toEqual([
      { code: "FAKE30", discountRef: "0", amount: { minor: 1791n, currency: "USD" } },
    ]);
  });

  test("a code over three lines, its refund and a shipment that failed", () => {
    const order = orderOf("shopify-docs-2026-07-orders-updated-partially-refunded.json");
    const shares = order.lines?.map((line) => line.discounts[0]);
    expect(shares?.map((share) => share?.amount.minor)).toEqual([334n, 333n, 333n]);
    expect(shares?.every((share) => share?.code === "TENOFF")).toBe(true);
    expect(order.financialStatus).toBe("partially_refunded");
    expect(order.paidAt?.toString()).toBe("2008-01-10T16:00:00Z");
    expect(order.fulfillments).toMatchObject([{ fulfillmentId: "255858046", status: "failure" }]);
    expect(order.refunds).toHaveLength(1);
    expect(order.refunds[0]?.lines.map((line) => [line.lineId, line.subtotal.minor, line.tax.minor])).toEqual([
      ["703073504", 19566n, 398n],
      ["466157049", 19567n, 398n],
    ]);
    expect(order.refunds[0]?.moneyMoved?.minor).toBe(20900n);
    expect(order.lines?.map((line) => line.currentQuantity)).toEqual([0, 1, 0]);
  });

  test("the topic never decides: a body of orders/cancelled that is not cancelled", () => {
    expect(orderOf("nodeapi-orders-cancelled.json").cancelledAt).toBeNull();
    expect(orderOf("nodeapi-orders-cancelled.json")).toEqual(orderOf("nodeapi-orders-create.json"));
  });

  test("the five samples of one body differ in nothing but their topic", () => {
    const create = orderOf("shopify-ref-2026-04-orders-create.json");
    expect(orderOf("shopify-ref-2026-04-orders-paid.json")).toEqual(create);
    expect(create.cancelledAt?.toString()).toBe("2022-01-01T00:00:00Z");
    expect(create.financialStatus).toBe("voided");
    expect(create.paidAt).toBeUndefined();
    expect(create.tags).toEqual(["tag1", "tag2"]);
  });

  test("test orders say so, with their customer", () => {
    const events = eventsOf("shopify-ref-2026-04-orders-create.json");
    expect(events.map(({ type, test: isTest }) => [type, isTest])).toEqual([
      ["CustomerUpserted", true],
      ["OrderUpdated", true],
    ]);
    expect(eventsOf("shopify-docs-2026-07-orders-create-EUR-tax.json").map((event) => event.test)).toEqual([false]);
  });

  test("an old body: no money sets, a customer without an id, what it leaves out is unknown", () => {
    const order = orderOf("goshopify-orders-updated-with-transactions.json");
    expect(order.customerId).toBeNull();
    expect(order.email).toBe("jon@doe.ca");
    expect(order.taxTotal).toBeUndefined();
    expect(order.fulfillmentStatus).toBeUndefined();
    expect(order.presentmentCurrency).toBeUndefined();
    expect(order.processedAt).toEqual(order.createdAt);
    expect(order.lines?.map((line) => [line.lineId, line.unitPrice.minor, line.currentQuantity])).toEqual([
      ["254721536", 0n, null],
      ["5", 500n, null],
    ]);
  });

  test("old refunds inside an order take their amounts from the lines they hold", () => {
    const [refund] = orderOf("nodeapi-orders-create.json").refunds;
    expect(refund?.lines.map((line) => [line.lineId, line.subtotal.minor])).toEqual([
      ["703073504", 19900n],
      ["466157049", 19900n],
    ]);
    expect(refund?.moneyMoved).toEqual({ minor: 20900n, currency: "USD" });
  });
});

describe("refunds", () => {
  test("amounts from the money sets", () => {
    const refund = refundOf("shopify-docs-2026-07-refunds-create-line.json");
    expect(refund.refundId).toBe("509562969");
    expect(refund.lines).toMatchObject([
      { lineId: "703073504", quantity: 1, restock: "legacy_restock", subtotal: { minor: 19566n, currency: "USD" } },
      { lineId: "466157049", quantity: 1, restock: "legacy_restock", subtotal: { minor: 19567n, currency: "USD" } },
    ]);
    expect(refund.moneyMoved).toEqual({ minor: 20900n, currency: "USD" });
    expect([refund.shipping.minor, refund.shippingTax.minor, refund.otherAdjustments.minor]).toEqual([0n, 0n, 0n]);
  });

  test("an old body: numbers, the currency of its transactions", () => {
    const refund = refundOf("nodeapi-refunds-create.json");
    expect(refund.lines[0]).toMatchObject({ subtotal: { minor: 19567n, currency: "USD" }, tax: { minor: 398n } });
    expect(refund.moneyMoved).toEqual({ minor: 19965n, currency: "USD" });
  });

  test("an older one: no amounts at all, so the lines' own", () => {
    const refund = refundOf("pythonapi-refunds-create.json");
    expect(refund.lines.map((line) => [line.subtotal.minor, line.tax.minor])).toEqual([
      [19900n, 398n],
      [19900n, 398n],
    ]);
  });
});

test("fulfillments carry their status and quantities", () => {
  expect(eventsOf("shopify-docs-2026-07-fulfillments-update-cancelled.json")).toMatchObject([
    {
      type: "OrderFulfilled",
      subject: "order/450789469",
      factKey: "fulfillment/1069019879:cancelled",
      payload: { fulfillment: { status: "cancelled", lines: [{ lineId: "1071823217", quantity: 1 }] } },
    },
  ]);
  expect(eventsOf("goshopify-fulfillments-create.json")).toMatchObject([
    { payload: { fulfillment: { status: "success", lines: [{ quantity: 1 }, { quantity: 1 }, { quantity: 1 }] } } },
  ]);
});
