import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wooCustomer, wooOrder } from "../../../test/support/woocommerce.ts";
import { ConfigError } from "../../environment.ts";
import { parseJsonText } from "../json-source.ts";
import type { OrderFacts } from "../neutral-events.ts";
import { netOfLine } from "../order-sums.ts";
import type { Translation } from "../platform.ts";
import { grossOf } from "../quantity.ts";
import { shopify } from "../shopify/adapter.ts";
import { woocommerce } from "./adapter.ts";
import { WOOCOMMERCE_TOPICS } from "./translate.ts";

function translate(topic: string, body: string): Translation {
  const headers = new Map(Object.entries(woocommerce.headersFor(topic)));
  const receivedAt = Temporal.Instant.from("2026-05-01T00:00:00Z");
  return woocommerce.translate({ headers, rawBody: Buffer.from(body), receivedAt, currency: "USD" });
}

function factsOf(fields: object): OrderFacts {
  const translation = translate("order.updated", JSON.stringify(wooOrder(fields)));
  const event = translation.ok ? translation.events.at(-1) : undefined;
  if (event?.type !== "OrderUpdated") throw new Error(JSON.stringify(translation));
  return event.payload;
}

const line = (fields: object) => ({
  ...{ id: 1, name: "Tea", product_id: 93, variation_id: 0, quantity: 1, subtotal_tax: "0", total_tax: "0" },
  ...fields,
});

describe("amounts", () => {
  test("prices without tax stay so, and the total is the sum of the parts", () => {
    const { lines = [], subtotal, total, taxTotal, shippingTotal, taxesIncluded } = factsOf({});
    expect(lines.map((one) => [one.lineId, one.productId, one.variantId, one.unitPrice.minor, one.tax.minor])).toEqual([
      ["315", "93", null, 300n, 45n],
      ["316", "22", "23", 1200n, 90n],
    ]);
    const amounts = [subtotal, taxTotal, shippingTotal, total].map((money) => money?.minor);
    expect([taxesIncluded, ...amounts]).toEqual([false, 1800n, 135n, 1000n, 2935n]);
  });

  test("prices with tax have it put back on lines, coupons and shipping", () => {
    const facts = factsOf({
      prices_include_tax: true,
      ...{ shipping_total: "4.55", shipping_tax: "0.45", total: "23.00", total_tax: "2.09" },
      line_items: [line({ quantity: 2, subtotal: "18.18", subtotal_tax: "1.82", total: "16.36", total_tax: "1.64" })],
      coupon_lines: [{ id: 5, code: "two", discount: "1.82", discount_tax: "0.18" }],
    });
    const [goods] = facts.lines ?? [];
    expect([goods?.unitPrice.minor, goods && netOfLine(goods), goods?.tax.minor]).toEqual([1000n, 1800n, 164n]);
    expect(goods?.discounts).toMatchObject([{ code: "two", amount: { minor: 200n } }]);
    expect([facts.coupons?.[0]?.amount?.minor, facts.shippingTotal?.minor]).toEqual([200n, 500n]);
  });

  test("a price that does not divide by the quantity comes back to the cent", () => {
    const sums = fc.tuple(fc.integer({ min: 1, max: 999_999 }), fc.integer({ min: 0, max: 10_000_000_00 }));
    fc.assert(
      fc.property(sums, ([quantity, cents]) => {
        const subtotal = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
        const { lines = [] } = factsOf({ line_items: [line({ quantity, subtotal, total: subtotal })] });
        expect(lines.map(grossOf)).toEqual([BigInt(cents)]);
      }),
      { numRuns: 300 },
    );
  });

  test("two coupons share a line's discount, and nothing of it is lost", () => {
    const [goods] =
      factsOf({
        line_items: [line({ subtotal: "10.00", total: "9.00" })],
        coupon_lines: [
          { id: 5, code: "a", discount: "2.00", discount_tax: "0" },
          { id: 6, code: "b", discount: "1.00", discount_tax: "0" },
        ],
      }).lines ?? [];
    expect(goods?.discounts.map(({ code, amount }) => [code, amount.minor])).toEqual([
      ["a", 66n],
      ["b", 34n],
    ]);
  });

  test("a currency without decimals: yen are yen, and a fraction of one is rounded and told of", () => {
    const yen = line({ subtotal: "909.50", subtotal_tax: "90.49", total: "909.50", total_tax: "90.49" });
    const body = wooOrder({ currency: "JPY", line_items: [yen], total: "1000", total_tax: "90", shipping_total: "0" });
    const translation = translate("order.updated", JSON.stringify({ ...body, cart_tax: "90" }));
    expect(translation).toMatchObject({ ok: true, warnings: expect.arrayContaining([expect.anything()]) });
    const [goods] = factsOf({ ...body }).lines ?? [];
    expect([goods?.unitPrice.minor, goods?.tax.minor]).toEqual([910n, 90n]);
  });
});

describe("goods add up to the sums of their order", () => {
  const paid = (fields: object) => {
    const { lines = [], taxesIncluded } = factsOf({ shipping_total: "0.00", ...fields });
    const goods = lines.filter(({ kind }) => kind === "product");
    return goods.map((one) => [netOfLine(one) + (taxesIncluded === true ? 0n : one.tax.minor), one.tax.minor]);
  };

  test("a negative fee lowers their tax by its own", () => {
    const goods = [
      line({ subtotal: "20.00", total: "20.00", total_tax: "2.00" }),
      line({ id: 2, subtotal: "10.00", total: "10.00", total_tax: "1.00" }),
    ];
    const fee_lines = [{ id: 6, name: "Friend", total: "-6.05", total_tax: "-0.61" }];
    const sums = { total: "26.34", total_tax: "2.39", line_items: goods, fee_lines };
    expect(paid(sums)).toEqual([
      [2160n, 160n],
      [1079n, 79n],
    ]);
    expect(paid({ ...sums, prices_include_tax: true }).map(([, tax]) => tax)).toEqual([160n, 79n]);
  });

  test("tax that the store rounds at the subtotal", () => {
    const one = { subtotal: "8.33", subtotal_tax: "1.67", total: "8.33", total_tax: "1.67" }; // of 8.325 and 1.665
    const included = { prices_include_tax: true, total: "9.99", total_tax: "1.67", line_items: [line(one)] };
    expect(paid(included)).toEqual([[999n, 167n]]);
    const cents = { subtotal: "0.33", total: "0.33", total_tax: "0.03" }; // of 0.025 each
    const excluded = { total: "1.07", total_tax: "0.08", line_items: [1, 2, 3].map((id) => line({ id, ...cents })) };
    expect(paid(excluded)).toEqual([
      [35n, 2n],
      [36n, 3n],
      [36n, 3n],
    ]);
  });

  test("a difference that is no rounding changes no line", () => {
    const goods = { subtotal: "10.00", total: "10.00", total_tax: "1.00" };
    expect(paid({ total: "10.90", total_tax: "0.90", line_items: [line(goods)] })).toEqual([[1100n, 100n]]);
  });
});

test("a refund's amount is what moved, and every copy of it is the same", () => {
  const refunds = [{ id: 726, reason: "", total: "-10.00" }];
  const [first] = factsOf({ refunds }).refunds;
  const [later] = factsOf({ refunds, date_modified_gmt: "2026-09-09T09:09:09" }).refunds;
  expect(first).toMatchObject({ refundId: "726", lines: [], moneyMoved: { minor: 1000n } });
  expect(later).toEqual(first);
});

test("a deletion has the id alone: a whole body under its topic deletes nobody", () => {
  expect(translate("customer.deleted", '{"id":26}')).toMatchObject({ ok: true, events: [{ type: "CustomerDeleted" }] });
  expect(translate("customer.deleted", '{"id":26,"email":"a@example.com"}').ok).toBe(false);
  expect(translate("order.deleted", JSON.stringify(wooOrder())).ok).toBe(false);
});

test("orders and customers of an export are known by their fields, and are not taken for Shopify's", () => {
  const read = (value: object) => {
    const json = parseJsonText(JSON.stringify(value));
    if (!json.ok) throw new Error(json.fault);
    return [woocommerce.topicOf(json.value), shopify.topicOf(json.value)];
  };
  expect(read(wooOrder())).toEqual(["order.updated", null]);
  const customer = { id: 1, email: "a@example.com", date_created_gmt: "2026-03-01T10:00:00", is_paying_customer: true };
  expect(read(customer)).toEqual(["customer.updated", null]);
  expect(read({ id: 1, date_created_gmt: "2026-03-01T10:00:00" })).toEqual([null, null]);
});

describe("the reading of a name, as Japanized for WooCommerce stores it", () => {
  const meta = (entries: Readonly<Record<string, unknown>>) =>
    Object.entries(entries).map(([key, value], n) => ({ id: 300 + n, key, value }));
  const readingOf = (topic: string, body: object) => {
    const translation = translate(topic, JSON.stringify(body));
    const event = translation.ok ? translation.events[0] : undefined;
    if (event?.type !== "CustomerUpserted") throw new Error(JSON.stringify(translation));
    return event.payload.nameReading;
  };
  const ofAccount = (meta_data: unknown) => readingOf("customer.updated", wooCustomer({ id: 25, meta_data }));
  const ofOrder = (meta_data: unknown) => readingOf("order.updated", wooOrder({ customer_id: 25, meta_data }));
  const yomigana = (beginning: string, last: unknown, first: unknown) =>
    meta({ [`${beginning}yomigana_first_name`]: first, [`${beginning}yomigana_last_name`]: last });

  test("of an account and of an order, family name first, from the older form and from the checkout block", () => {
    expect(ofAccount(yomigana("billing_", "やまだ", " たろう "))).toBe("やまだ たろう");
    expect(ofOrder(yomigana("_billing_", "ヤマダ", "タロウ"))).toBe("ヤマダ タロウ");
    const block = yomigana("_wc_billing/jp4wc/", "すずき", "はなこ");
    expect([ofAccount(block), ofOrder(block)]).toEqual(["すずき はなこ", "すずき はなこ"]);
    expect(ofAccount([...yomigana("billing_", "ふるい", "なまえ"), ...block])).toBe("すずき はなこ");
    expect(
      ofAccount([...yomigana("billing_", "ふるい", "なまえ"), ...yomigana("_wc_billing/jp4wc/", "やまだ", "")]),
    ).toBe("やまだ");
  });

  test("an account may empty it, a bill without one says nothing, and so does a store without the plugin", () => {
    const empty = yomigana("billing_", "", "");
    expect(
      ofAccount([...yomigana("billing_", "ふるい", "なまえ"), ...yomigana("_wc_billing/jp4wc/", "", "")]),
    ).toBeNull();
    expect([ofAccount(empty), ofOrder(yomigana("_billing_", "", "")), ofAccount([])]).toEqual([
      null,
      undefined,
      undefined,
    ]);
    const shipping = yomigana("shipping_", "べつ", "じん");
    const others = [shipping, undefined, null, {}, "x", [null, 1, "key", { key: "billing_yomigana_last_name_2" }]];
    expect(others.map(ofAccount)).toEqual(others.map(() => undefined));
    expect(ofAccount(yomigana("billing_", ["x"], { y: 1 }))).toBeNull();
  });
});

test("a product's tags and categories", () => {
  const body = {
    id: 93,
    date_modified_gmt: "2026-03-01T10:00:00",
    tags: [{ id: 1, name: "new" }],
    categories: [{ id: 9 }],
  };
  expect(translate("product.updated", JSON.stringify(body))).toMatchObject({
    events: [{ type: "ProductUpserted", payload: { productId: "93", tags: ["new"], collections: ["9"] } }],
  });
});

/** RFC 4231, test case 2: key "Jefe"; its digest in hex, as base64 in the header. */
test("a signature is HMAC-SHA256 of the body in base64", () => {
  const digest = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
  const headers = new Map([["x-wc-webhook-signature", Buffer.from(digest, "hex").toString("base64")]]);
  const body = new TextEncoder().encode("what do ya want for nothing?");
  expect(woocommerce.verify(headers, body, ["old", "Jefe"])).toBe("ok");
  expect(woocommerce.verify(headers, body, ["", "other"])).toBe("bad_signature");
  expect(woocommerce.verify(new Map(), body, ["Jefe"])).toBe("missing_header");
});

test("a store's address that is none is refused at the start", () => {
  expect(() => woocommerce.readSettings({ WOOCOMMERCE_STORE_URL: "tea.example" })).toThrow(ConfigError);
  const settings = woocommerce.readSettings({ WOOCOMMERCE_STORE_URL: "https://Tea.example/shop/" });
  expect(settings).toEqual({ shop: "tea.example/shop", secrets: [] });
});

test("whatever the bytes, translate never throws", () => {
  const names = Object.keys(wooOrder());
  const value = fc.oneof(fc.constantFrom<unknown>(null, "", -1, 1e300, [], {}, [[]], "\u0000", "-0.1"), fc.jsonValue());
  const field = fc.tuple(fc.constantFrom(...names), value);
  fc.assert(
    fc.property(fc.constantFrom(...WOOCOMMERCE_TOPICS.keys()), fc.array(field, { maxLength: 3 }), (topic, fields) => {
      const lines = { line_items: [line(Object.fromEntries(fields))], refunds: [Object.fromEntries(fields)] };
      const bodies = [wooOrder(Object.fromEntries(fields)), wooOrder(lines), Object.fromEntries(fields)];
      for (const body of bodies) expect(typeof translate(topic, JSON.stringify(body)).ok).toBe("boolean");
    }),
    { numRuns: 500 },
  );
  for (const junk of ["", "{", "[]", "1", "null", "\u0000"]) expect(translate("order.updated", junk).ok).toBe(false);
});
