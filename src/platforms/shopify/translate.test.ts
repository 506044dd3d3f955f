import { describe, expect, test } from "vitest";
import { recorded } from "../../../test/fixtures/shopify/recorded.ts";
import type { Translation } from "../platform.ts";
import { shopify } from "./adapter.ts";

const RECEIVED = Temporal.Instant.from("2026-05-01T00:00:00Z");

function translate(topic: string, body: string, more: readonly (readonly [string, string])[] = []): Translation {
  const headers = new Map([["x-shopify-topic", topic], ...more]);
  return shopify.translate({ headers, rawBody: Buffer.from(body), receivedAt: RECEIVED, currency: "JPY" });
}

function payloadsOf(topic: string, body: object): readonly unknown[] {
  const translation = translate(topic, JSON.stringify(body));
  expect(translation).toMatchObject({ ok: true });
  return translation.ok ? translation.events.map(({ payload }) => payload) : [];
}

describe("the topic is not signed: a body under a topic of another shape is quarantined", () => {
  const REPLAYS: readonly (readonly [string, readonly string[]])[] = [
    [
      "shopify-ref-2026-04-orders-create.json",
      ["refunds/create", "fulfillments/create", "customers/update", "customers/delete", "orders/delete", "shop/redact"],
    ],
    ["shopify-docs-2026-07-refunds-create-line.json", ["orders/updated", "fulfillments/create", "customers/update"]],
    ["shopify-docs-2026-07-fulfillments-create.json", ["orders/updated", "refunds/create", "orders/delete"]],
    [
      "shopify-ref-2026-04-customers-update.json",
      [
        "customers/delete",
        "orders/create",
        "products/update",
        "app/uninstalled",
        "customers/redact",
        "discounts/delete",
      ],
    ],
    ["shopify-ref-2026-04-customers-delete.json", ["customers/update", "orders/delete", "discounts/delete"]],
    ["shopify-ref-2026-04-orders-delete.json", ["customers/delete", "orders/create", "refunds/create"]],
    ["shopify-ref-2026-04-customers-data_request.json", ["customers/redact", "shop/redact", "app/uninstalled"]],
    ["shopify-ref-2026-04-customers-redact.json", ["customers/data_request", "shop/redact"]],
    ["shopify-ref-2026-04-discounts-redeemcode_removed.json", ["discounts/delete", "discounts/update"]],
    ["shopify-ref-2026-04-customers_marketing_consent-update.json", ["customers_email_marketing_consent/update"]],
  ];
  const cases = REPLAYS.flatMap(([file, topics]) => topics.map((topic) => [file, topic] as const));

  test.each(cases)("%s as %s", (file, topic) => {
    const body = Buffer.from(recorded(file).bytes).toString("utf8");
    expect(translate(topic, body)).toMatchObject({ ok: false, fault: expect.stringContaining(topic) });
  });
});

test("unknown topics, broken bodies", () => {
  expect(translate("themes/publish", "not even JSON")).toEqual({ ok: true, events: [] });
  expect(translate("orders/create", "not even JSON")).toMatchObject({ ok: false });
  expect(translate("orders/create", "[]")).toMatchObject({ ok: false, fault: expect.stringContaining("an object") });
  expect(translate("constructor", "{}")).toEqual({ ok: true, events: [] });
});

test("a time that the body lacks comes from the delivery, else it is when it was received", () => {
  const body = JSON.stringify({ id: 1 });
  const triggered = translate("orders/delete", body, [["x-shopify-triggered-at", "2026-04-30T09:00:00.5Z"]]);
  expect(triggered.ok && triggered.events[0]?.occurredAt.toString()).toBe("2026-04-30T09:00:00.5Z");
  const broken = translate("orders/delete", body, [["x-shopify-triggered-at", "yesterday"]]);
  expect(broken.ok && broken.events[0]?.occurredAt.toString()).toBe(RECEIVED.toString());
});

describe("customers", () => {
  const customer = {
    id: 5,
    admin_graphql_api_id: "gid://shopify/Customer/9007199254740993",
    email: "Hana@Example.com",
    first_name: "Hana",
    last_name: "Sato",
    state: "enabled",
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-02T00:00:00Z",
  };

  test("the opt-in comes by its own topic, with its own version", () => {
    const consent = { state: "subscribed", opt_in_level: "single_opt_in", consent_updated_at: "2026-02-01T00:00:00Z" };
    const body = { customer_id: 77, email_address: "hana@example.com", email_marketing_consent: consent };
    expect(payloadsOf("customers_email_marketing_consent/update", body)).toEqual([
      { customerId: "77", acceptsMarketing: true, consentUpdatedAt: Temporal.Instant.from("2026-02-01T00:00:00Z") },
    ]);
  });

  test("enabling and disabling are read from the state", () => {
    expect(payloadsOf("customers/disable", customer)).toMatchObject([
      { accountEnabled: true, email: "hana@example.com" },
    ]);
  });

  test("a birthday comes by the standard metafield, if it is a day", () => {
    const withDate = (value: string) => ({
      ...customer,
      metafields: [{ namespace: "facts", key: "birth_date", value }],
    });
    expect(payloadsOf("customers/update", withDate("1990-05-17"))).toMatchObject([{ birthday: "1990-05-17" }]);
    expect(payloadsOf("customers/update", withDate("1990-02-30"))[0]).not.toHaveProperty("birthday");
  });

  test("a null e-mail is none, an absent one unknown", () => {
    const { email: _, ...without } = customer;
    expect(payloadsOf("customers/update", { ...without, email: null })).toMatchObject([{ email: null }]);
    expect(payloadsOf("customers/update", without)[0]).not.toHaveProperty("email");
  });

  test("only a completed merge merges", () => {
    const merge = (status: string) => ({
      admin_graphql_api_customer_kept_id: "gid://shopify/Customer/1",
      admin_graphql_api_customer_deleted_id: "gid://shopify/Customer/2",
      status,
    });
    expect(payloadsOf("customers/merge", merge("completed"))).toEqual([{ keptId: "1", removedId: "2" }]);
    expect(payloadsOf("customers/merge", merge("failed"))).toEqual([]);
  });
});

test("a discount concerns us when it has expired; a product for its tags", () => {
  const discount = { admin_graphql_api_id: "gid://shopify/DiscountCodeNode/5", status: "EXPIRED", updated_at: null };
  expect(payloadsOf("discounts/update", discount)).toMatchObject([{ reason: "expired", code: null }]);
  const product = {
    id: 7,
    handle: "bowl",
    admin_graphql_api_id: "gid://shopify/Product/7",
    tags: "no-points, tea,tea",
  };
  expect(payloadsOf("products/update", product)).toEqual([{ productId: "7", tags: ["no-points", "tea"] }]);
  expect(payloadsOf("products/update", { id: 7, handle: "bowl" })).toEqual([{ productId: "7" }]);
});

describe("refunds", () => {
  const base = { id: 1, order_id: 2, created_at: "2026-03-01T00:00:00Z" };
  const yen = (amount: string) => ({ shop_money: { amount, currency_code: "JPY" } });
  const transaction = { kind: "refund", status: "success", amount: "300", currency: "JPY" };
  const refundOf = (body: object) => payloadsOf("refunds/create", { ...base, refund_line_items: [], ...body })[0];

  test("shipping is counted once where the platform names it twice", () => {
    const body = {
      refund_shipping_lines: [{ subtotal_amount_set: yen("280") }],
      order_adjustments: [{ kind: "shipping_refund", amount: "-280", tax_amount: "-20" }],
      transactions: [transaction],
    };
    expect(refundOf(body)).toMatchObject({
      refund: { shipping: { minor: 280n }, shippingTax: { minor: 20n }, moneyMoved: { minor: 300n, currency: "JPY" } },
    });
    expect(refundOf({ ...body, order_adjustments: [] })).toMatchObject({
      refund: { shipping: { minor: 280n }, shippingTax: { minor: 0n } },
    });
  });

  test("only successful refunds are money; without transactions it is not known", () => {
    const others = [
      { ...transaction, status: "pending" },
      { ...transaction, status: "failure" },
      { ...transaction, kind: "void" },
    ];
    expect(refundOf({ transactions: others })).toMatchObject({ refund: { moneyMoved: { minor: 0n } } });
    expect(refundOf({ transactions: [transaction, ...others] })).toMatchObject({
      refund: { moneyMoved: { minor: 300n } },
    });
    expect(refundOf({})).toMatchObject({ refund: { moneyMoved: null } });
  });

  test("money in the buyer's currency is not known in the shop's, unless the order's body lets it be added up", () => {
    const body = { order_adjustments: [{ kind: "refund_discrepancy", amount_set: yen("-300") }] };
    const dollars = { ...transaction, amount: "2.01", currency: "USD" };
    expect(refundOf({ ...body, transactions: [dollars] })).toMatchObject({
      refund: { moneyMoved: null, otherAdjustments: { minor: -300n, currency: "JPY" } },
    });
    const refund = { ...base, refund_line_items: [], ...body, transactions: [dollars] };
    const order = { id: 2, currency: "JPY", created_at: base.created_at, line_items: [], refunds: [refund] };
    expect(payloadsOf("orders/updated", order)).toMatchObject([
      { refunds: [{ moneyMoved: { minor: 300n, currency: "JPY" } }] },
    ]);
  });

  test("a line without an amount, and nothing to take it from, is a fault", () => {
    const body = { ...base, refund_line_items: [{ line_item_id: 3, quantity: 1 }] };
    expect(translate("refunds/create", JSON.stringify(body))).toMatchObject({
      ok: false,
      fault: expect.stringContaining("/refund_line_items/0/subtotal"),
    });
  });
});

describe("orders that cannot be", () => {
  const line = { id: 3, quantity: 1, price: "100", title: "Bowl" };
  const order = { id: 2, currency: "JPY", created_at: "2026-03-01T00:00:00Z", line_items: [line] };

  test.each<[string, object, string]>([
    ["a yen with decimals", { line_items: [{ ...line, price: "100.5" }] }, "/line_items/0/price"],
    ["a line twice", { line_items: [line, line] }, "/line_items"],
    ["a quantity below 0", { line_items: [{ ...line, quantity: -1 }] }, "/line_items/0/quantity"],
    ["a quantity that is a text", { line_items: [{ ...line, quantity: "1" }] }, "/line_items/0/quantity"],
    ["sums beyond 64 bits", { line_items: [{ ...line, price: "9000000000000000", quantity: 2 }] }, "/line_items"],
    ["an id with letters", { id: "abc" }, "/id"],
    [
      "a price in another currency alone",
      { line_items: [{ ...line, price: undefined, price_set: { shop_money: { amount: "1", currency_code: "USD" } } }] },
      "/line_items/0/price_set",
    ],
    ["no lines at all", { line_items: null }, "/line_items"],
    ["the gid of a customer", { admin_graphql_api_id: "gid://shopify/Customer/2" }, "/admin_graphql_api_id"],
  ])("%s", (_, fields, pointer) => {
    expect(translate("orders/create", JSON.stringify(order))).toMatchObject({ ok: true });
    expect(translate("orders/create", JSON.stringify({ ...order, ...fields }))).toMatchObject({
      ok: false,
      fault: expect.stringContaining(pointer),
    });
  });

  test("a title that no database holds is kept all the same, mended", () => {
    const body = JSON.stringify({ ...order, line_items: [{ ...line, title: "a\u0000b" }], name: "x" }).replace(
      '"x"',
      '"\\ud800"',
    );
    expect(translate("orders/create", body)).toMatchObject({
      ok: true,
      events: [{ payload: { lines: [{ title: "a\uFFFDb" }], orderName: "\uFFFD" } }],
    });
  });
});
