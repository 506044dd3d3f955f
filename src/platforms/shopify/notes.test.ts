import { describe, expect, test } from "vitest";
import type { Translation } from "../platform.ts";
import { shopify } from "./adapter.ts";

const RECEIVED = Temporal.Instant.from("2026-05-01T00:00:00Z");

function translate(topic: string, body: unknown): Translation {
  const headers = new Map([["x-shopify-topic", topic]]);
  const rawBody = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return shopify.translate({ headers, rawBody, receivedAt: RECEIVED, currency: "USD" });
}

const line = { id: 3, quantity: 2, price: "10.00", title: "Bowl", product_id: 9 };
const order = { id: 2, currency: "USD", created_at: "2026-03-01T00:00:00Z", line_items: [line] };
const euros = { shop_money: { amount: "7.00", currency_code: "EUR" } };

function orderOf(translation: Translation): Record<string, unknown> {
  expect(translation).toMatchObject({ ok: true });
  const event = translation.ok ? translation.events.at(-1) : undefined;
  return { ...event?.payload };
}

describe("a field that no point depends on never keeps an order away: it is noted", () => {
  test.each<[string, object, string]>([
    ["a subtotal that is no amount", { subtotal_price: "ten" }, "/subtotal_price"],
    ["a subtotal with too many places", { subtotal_price: "1.234" }, "/subtotal_price"],
    ["a total in another currency, alone", { total_price_set: euros }, "/total_price_set/shop_money/currency_code"],
    [
      "a total in another currency",
      { total_price: "20.00", total_price_set: euros },
      "/total_price_set/shop_money/currency_code",
    ],
    [
      "a price whose set is in another currency",
      { line_items: [{ ...line, price_set: euros }] },
      "/line_items/0/price_set/shop_money/currency_code",
    ],
    ["discount applications that are no list", { discount_applications: { code: "X" } }, "/discount_applications"],
    [
      "a code's amount",
      { discount_codes: [{ code: "X", amount: "much", type: "percentage" }] },
      "/discount_codes/0/amount",
    ],
    ["shipping lines", { shipping_lines: [{ price: "x" }] }, "/shipping_lines/0/price"],
    ["tips", { total_tip_received: true }, "/total_tip_received"],
    ["the buyer's currency", { presentment_currency: "dollars" }, "/presentment_currency"],
    ["what is still to be paid", { total_outstanding: "x" }, "/total_outstanding"],
    ["a variant", { line_items: [{ ...line, variant_id: "x" }] }, "/line_items/0/variant_id"],
    ["a customer's date", { customer: { id: 5, created_at: "yesterday" } }, "/customer/created_at"],
    ["a customer under id 0", { customer: { id: 0 } }, "/customer/id"],
  ])("%s", (_, fields, pointer) => {
    const translation = translate("orders/create", { ...order, ...fields });
    expect(orderOf(translation)).toMatchObject({ orderId: "2", lines: [{ lineId: "3", unitPrice: { minor: 1000n } }] });
    expect(translation).toMatchObject({ warnings: [{ pointer, detail: expect.stringMatching(/\w/) }] });
  });

  test("an order without such fields has no warnings", () => {
    expect(translate("orders/create", order)).not.toHaveProperty("warnings");
  });

  test("the customer of the order stays whose date could not be read", () => {
    const translation = translate("orders/create", { ...order, customer: { id: 5, created_at: "yesterday" } });
    expect(orderOf(translation)).toMatchObject({ customerId: "5" });
  });
});

describe("an id and a gid that differ", () => {
  const gid = (digits: string) => `gid://shopify/Order/${digits}`;

  test("below 2^53 the id holds", () => {
    const translation = translate("orders/create", { ...order, admin_graphql_api_id: gid("77") });
    expect(orderOf(translation)).toMatchObject({ orderId: "2" });
    expect(translation).toMatchObject({ warnings: [{ pointer: "/id", detail: expect.stringContaining("77") }] });
  });

  test("from 2^53 on the gid holds: the number may have been a double", () => {
    const body = JSON.stringify({ ...order, admin_graphql_api_id: gid("820982911946154508") });
    const translation = translate("orders/create", body.replace('"id":2', '"id":820982911946154500'));
    expect(orderOf(translation)).toMatchObject({ orderId: "820982911946154508" });
    expect(translation).not.toHaveProperty("warnings");
  });

  test("of a refunded line, too", () => {
    const refundLine = {
      ...{ line_item_id: 3, quantity: 1, subtotal: 10, total_tax: 0 },
      line_item: { id: 3, admin_graphql_api_id: "gid://shopify/LineItem/99" },
    };
    const refund = { id: 8, order_id: 2, created_at: order.created_at, refund_line_items: [refundLine] };
    expect(orderOf(translate("refunds/create", refund))).toMatchObject({ refund: { lines: [{ lineId: "3" }] } });
  });
});

describe("tips are known by their kind", () => {
  const alone = { ...line, id: 4, product_id: null, variant_id: null, quantity: 1, price: "5.00" };
  const kinds = (fields: object) => {
    const { lines } = orderOf(translate("orders/create", { ...order, ...fields }));
    return (lines as { kind: string }[]).map(({ kind }) => kind); // cast: the payload of an order
  };

  test("by the fields that only tips have, null included, in any language", () => {
    for (const mark of [
      { tip_payment_gateway: "shopify_payments" },
      { tip_payment_gateway: null },
      { tip_payment_method: "Visa" },
    ]) {
      expect(kinds({ line_items: [line, { ...alone, title: "チップ", ...mark }] })).toEqual(["product", "tip"]);
    }
  });

  test("where no line is marked, by the tips that the order received", () => {
    const items = [line, { ...alone, title: "Trinkgeld" }];
    expect(kinds({ line_items: items, total_tip_received: "5.00" })).toEqual(["product", "tip"]);
    expect(kinds({ line_items: items, total_tip_received: "0.00" })).toEqual(["product", "custom"]);
  });

  test("an item that is only titled so is the merchant's own, and earns", () => {
    expect(kinds({ line_items: [line, { ...alone, title: "Tip" }] })).toEqual(["product", "custom"]);
  });
});
