import { describe, expect, test } from "vitest";
import type { OrderFacts, RefundFact } from "../neutral-events.ts";
import { translate } from "./translate.ts";

const RECEIVED = Temporal.Instant.from("2026-05-01T00:00:00Z");
const usd = (amount: string) => ({ shop_money: { amount, currency_code: "USD" } });
const REFUND = {
  ...{ id: 887837262038, order_id: 5364786725078, admin_graphql_api_id: "gid://shopify/Refund/887837262038" },
  ...{ created_at: "2026-04-12T03:49:48-05:00", processed_at: "2026-04-12T03:49:48-05:00", restock: true },
  ...{ duties: [], total_duties_set: usd("0.00"), additional_fees: [], total_additional_fees_set: usd("0.00") },
  ...{ return: null, refund_shipping_lines: [], order_adjustments: [], refund_line_items: [], transactions: [] },
};
const RETURN = { id: 5966627030, admin_graphql_api_id: "gid://shopify/Return/5966627030" };
const bowl = {
  ...{ id: 450826567894, line_item_id: 13347521822934, quantity: 1, restock_type: "return" },
  ...{ subtotal: 100.0, total_tax: 8.0, subtotal_set: usd("100.00"), total_tax_set: usd("8.00") },
};
const money = (amount: string, status = "success") => ({ kind: "refund", status, amount, currency: "USD" });
const discrepancy = (amount: string) => ({
  ...{ id: 1, kind: "refund_discrepancy", reason: "Refund discrepancy", amount, tax_amount: "0.00" },
  ...{ amount_set: usd(amount), tax_amount_set: usd("0.00") },
});

function payloadOf<T>(topic: string, body: object): T {
  const headers = new Map([["x-shopify-topic", topic]]);
  const rawBody = Buffer.from(JSON.stringify(body));
  const translation = translate({ headers, rawBody, receivedAt: RECEIVED, currency: "USD" });
  expect(translation).toMatchObject({ ok: true });
  // cast: the topic decides the payload
  return (translation.ok ? translation.events.at(-1)?.payload : undefined) as T;
}

/** The refund as its own message states it. */
const alone = (fields: object) =>
  payloadOf<{ readonly refund: RefundFact }>("refunds/create", { ...REFUND, ...fields }).refund;

/** The refund as a copy inside its order states it. */
function inOrder(fields: object, taxes_included = false): RefundFact | undefined {
  const order = {
    ...{ id: 5364786725078, currency: "USD", taxes_included, financial_status: "partially_refunded" },
    ...{ created_at: "2026-04-01T10:00:00-05:00", updated_at: "2026-04-12T03:49:49-05:00", line_items: [] },
    refunds: [{ ...REFUND, ...fields }],
  };
  return payloadOf<OrderFacts>("orders/updated", order).refunds[0];
}

describe("duties and fees that are given back are no money for goods", () => {
  const fields = {
    duties: [{ duty_id: 1, amount_set: usd("12.50") }],
    ...{ total_duties_set: usd("12.50"), total_additional_fees_set: usd("1.50") },
    refund_line_items: [bowl],
    transactions: [money("122.00")],
  };

  test.each([
    ["alone", alone],
    ["in its order", inOrder],
  ])("%s", (_, read) => {
    expect(read(fields)).toMatchObject({ shipping: { minor: 1400n }, moneyMoved: { minor: 12200n } });
  });

  test("next to shipping, they are added to it", () => {
    const refund_shipping_lines = [{ subtotal_amount_set: usd("5.00") }];
    expect(alone({ ...fields, refund_shipping_lines })).toMatchObject({ shipping: { minor: 1900n } });
  });

  test("a sum that cannot be read is noted, and the refund is taken", () => {
    expect(alone({ ...fields, total_duties_set: usd("16.486") })).toMatchObject({ shipping: { minor: 150n } });
  });
});

describe("an exchange: what did not move as money paid for the new lines", () => {
  const exchange = { return: RETURN, refund_line_items: [bowl], transactions: [money("43.20")] };

  test("the order's copy knows how much that was, the message alone does not know the taxes", () => {
    expect(inOrder(exchange)).toMatchObject({ moneyMoved: { minor: 4320n }, credited: { minor: 6480n } });
    expect(inOrder(exchange, true)).toMatchObject({ moneyMoved: { minor: 4320n }, credited: { minor: 5680n } });
    expect(alone(exchange)).not.toHaveProperty("credited");
  });

  test.each([
    ["no return", { ...exchange, return: null }],
    ["the merchant kept the difference", { ...exchange, order_adjustments: [discrepancy("64.80")] }],
    ["more money is on its way", { ...exchange, transactions: [money("43.20"), money("64.80", "pending")] }],
    ["all of it moved", { ...exchange, transactions: [money("108.00")] }],
    ["nothing moved", { ...exchange, transactions: [] }],
    ["no lines", { ...exchange, refund_line_items: [] }],
  ])("%s: no credit", (_, fields) => {
    expect(inOrder(fields)).not.toHaveProperty("credited");
  });
});

describe("refunded shipping without its tax: a share of the tax of the shipping line", () => {
  const shipping_line = { discounted_price_set: usd("10.00"), tax_lines: [{ price_set: usd("0.80") }] };
  const half = { refund_shipping_lines: [{ subtotal_amount_set: usd("5.00"), shipping_line }] };

  test.each<[string, RefundFact | undefined, bigint]>([
    ["prices without tax", inOrder(half), 40n],
    ["prices with tax, which the amount includes", inOrder(half, true), 0n],
    ["the message alone does not know", alone(half), 0n],
    ["no price to share by", inOrder({ refund_shipping_lines: [{ subtotal_amount_set: usd("5.00") }] }), 0n],
  ])("%s", (_, read, tax) => {
    expect(read).toMatchObject({ shipping: { minor: 500n }, shippingTax: { minor: tax } });
  });
});
