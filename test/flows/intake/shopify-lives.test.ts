import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type IntakeService, startIntakeService } from "../../support/intake.ts";

/** Lives of orders in Shopify's bodies, at 1 point per dollar, rounded down, when paid and shipped. */
let service: IntakeService;
beforeAll(async () => {
  const earning = { point_value: 1, currency_value: 100, rounding: "down" };
  service = await startIntakeService({ program: { store: { currency: "USD" }, earning } });
});
afterAll(() => service.stop());

const time = (minute: number) => `2026-03-02T10:${String(minute).padStart(2, "0")}:00-05:00`;
const usd = (amount: string) => ({ shop_money: { amount, currency_code: "USD" } });

function line(id: number, price: string, current_quantity = 1) {
  return {
    ...{ id, product_id: 7700, variant_id: 7701, title: "Tea bowl", quantity: 1, current_quantity, gift_card: false },
    ...{ price, price_set: usd(price), total_discount: "0.00", discount_allocations: [], tax_lines: [] },
  };
}

function fulfillment(id: number, order_id: number, minute: number, lines: readonly number[]) {
  return {
    ...{ id, order_id, status: "success", created_at: time(minute), updated_at: time(minute) },
    line_items: lines.map((one) => ({ id: one, quantity: 1 })),
  };
}

function refundLine(line_item_id: number, amount: string, restock_type = "return") {
  return {
    ...{ id: line_item_id + 1, line_item_id, quantity: 1, restock_type },
    ...{ subtotal: Number(amount), subtotal_set: usd(amount), total_tax: 0.0, total_tax_set: usd("0.00") },
  };
}

interface RefundFields {
  readonly moved?: string;
  readonly [name: string]: unknown;
}

function refund(id: number, order_id: number, minute: number, fields: RefundFields) {
  const { moved, ...more } = fields;
  return {
    ...{ id, order_id, created_at: time(minute), processed_at: time(minute), return: null, duties: [] },
    ...{ total_duties_set: usd("0.00"), order_adjustments: [], refund_shipping_lines: [], refund_line_items: [] },
    transactions: moved === undefined ? [] : [{ kind: "refund", status: "success", amount: moved, currency: "USD" }],
    ...more,
  };
}

function order(id: number, minute: number, fields: object) {
  return {
    ...{
      id,
      admin_graphql_api_id: `gid://shopify/Order/${id}`,
      name: `#${id}`,
      currency: "USD",
      taxes_included: false,
    },
    ...{ presentment_currency: "USD", financial_status: "paid", fulfillment_status: null, cancelled_at: null },
    ...{ created_at: time(0), processed_at: time(0), updated_at: time(minute), test: false, discount_codes: [] },
    ...{ customer: { id: id + 1, state: "enabled", created_at: time(0), updated_at: time(0) }, refunds: [] },
    ...fields,
  };
}

type Message = readonly [topic: string, body: object];

/** Delivers and processes messages one by one; returns the points of the customer, of the order, and its spend. */
async function outcomeOf(id: number, messages: readonly Message[]) {
  for (const [n, [topic, body]] of messages.entries()) {
    const answer = await service.deliver(topic, JSON.stringify(body), { id: `${id}-${n}` });
    expect(answer.status).toBe(200);
    await service.drain();
  }
  const orders = await service.client.get(`/api/storefront/orders?ids=${id}`);
  const balance = await service.client.get(`/api/storefront/point_balances/${id + 1}`);
  const [row] = await service.deps.db.query<{ minor: bigint }>(
    "select spend_minor as minor from order_spend where order_id = $1",
    [`${id}`],
  );
  const { awardable_points, points_awarded } = orders.body.data[`${id}`];
  return [balance.body.data.point_balance, awardable_points, points_awarded, row?.minor];
}

test("duties that are given back with a line take nothing from the other line", async () => {
  const id = 5364786725000;
  const lines = { line_items: [line(11, "100.00"), line(12, "50.00")], total_price: "162.50" };
  const fulfillments = [fulfillment(21, id, 5, [11, 12])];
  const back = refund(31, id, 9, {
    ...{ duties: [{ duty_id: 1, amount_set: usd("12.50") }], total_duties_set: usd("12.50") },
    ...{ refund_line_items: [refundLine(11, "100.00")], moved: "112.50" },
  });
  const messages: Message[] = [
    ["orders/paid", order(id, 1, lines)],
    ["orders/fulfilled", order(id, 5, { ...lines, fulfillments })],
    ["refunds/create", back],
    ["orders/updated", order(id, 9, { ...lines, fulfillments, refunds: [back] })],
  ];
  expect(await outcomeOf(id, messages)).toEqual([50, 50, 50, 5_000n]);
});

describe("a bowl of 100 dollars that is exchanged for a cup of 60, with 40 given back", () => {
  /** `copyOf`: what the order's bodies say of the refund, the first and the second one. */
  const messagesOf = (id: number, copyOf: (back: object, n: number) => object = (back) => back): Message[] => {
    const bowl = { line_items: [line(11, "100.00")] };
    const both = { line_items: [line(11, "100.00", 0), line(12, "60.00")], financial_status: "partially_refunded" };
    const shipped = [fulfillment(21, id, 5, [11])];
    const back = refund(31, id, 9, {
      ...{ return: { id: 5966627030, admin_graphql_api_id: "gid://shopify/Return/5966627030" } },
      ...{ refund_line_items: [refundLine(11, "100.00")], moved: "40.00" },
    });
    const again = [...shipped, fulfillment(22, id, 20, [12])];
    return [
      ["orders/paid", order(id, 1, bowl)],
      ["orders/fulfilled", order(id, 5, { ...bowl, fulfillments: shipped })],
      ["refunds/create", back],
      ["orders/updated", order(id, 9, { ...both, fulfillments: shipped, refunds: [copyOf(back, 0)] })],
      ["orders/updated", order(id, 20, { ...both, fulfillments: again, refunds: [copyOf(back, 1)] })],
    ];
  };
  const silent = ({ transactions: _, ...back }: { readonly transactions?: unknown }) => back;

  test("earns for the 60 that it keeps", async () => {
    expect(await outcomeOf(5364786725100, messagesOf(5364786725100))).toEqual([60, 60, 60, 6_000n]);
  });

  test("whatever the order of the messages", async () => {
    const id = 5364786725200;
    const messages = messagesOf(id);
    expect(await outcomeOf(id, [...messages.toReversed(), ...messages])).toEqual([60, 60, 60, 6_000n]);
  });

  test.each([
    ["neither body", [0, 1]],
    ["the second body alone", [0]],
    ["the first body alone", [1]],
  ])("if %s has the refund's transactions, its message does", async (name, silentOnes) => {
    const copyOf = (back: object, n: number) => (silentOnes.includes(n) ? silent(back) : back);
    for (const [at, order] of [
      [0, 1, 2, 3, 4],
      [4, 3, 2, 1, 0],
      [0, 1, 3, 4, 2],
      [2, 3, 0, 4, 1],
    ].entries()) {
      const id = 5364786726000 + 10 * name.length + at;
      const messages = messagesOf(id, copyOf);
      const ordered = order.flatMap((n) => (messages[n] ? [messages[n]] : []));
      expect(await outcomeOf(id, ordered), `${name} ${order}`).toEqual([60, 60, 60, 6_000n]);
    }
  });
});

test("an edited order that is read from the history loses the removed line once", async () => {
  const id = 5364786725300;
  const removal = refund(31, id, 9, { refund_line_items: [refundLine(11, "100.00", "cancel")] });
  const body = order(id, 40, {
    ...{ line_items: [line(11, "100.00", 0), line(12, "80.00")], financial_status: "partially_refunded" },
    ...{ fulfillments: [fulfillment(21, id, 20, [12])] },
    refunds: [removal, refund(32, id, 12, { moved: "100.00" })],
  });
  expect(await outcomeOf(id, [["orders/updated", body]])).toEqual([80, 80, 80, 8_000n]);
});

describe("the spend of an order from the history counts when it was paid and shipped, not when the order last changed", () => {
  const creditedAt = async (id: number, fields: object) => {
    const shipped = { line_items: [line(11, "80.00")], fulfillments: [fulfillment(21, id, 5, [11])] };
    await outcomeOf(id, [["orders/updated", order(id, 59, { ...shipped, ...fields })]]);
    const rows = await service.deps.db.query<{ at: Temporal.Instant }>(
      "select credited_at as at from order_spend where order_id = $1",
      [`${id}`],
    );
    return rows.map(({ at }) => at.toString());
  };
  const instant = (minute: number) => Temporal.Instant.from(time(minute)).toString();

  test("it was paid when it was archived", async () => {
    expect(await creditedAt(5364786725400, { closed_at: time(6) })).toEqual([instant(6)]);
  });

  test("it was paid when money was given back", async () => {
    const refunds = [refund(31, 5364786725500, 9, { moved: "10.00" })];
    const financial_status = "partially_refunded";
    expect(await creditedAt(5364786725500, { refunds, financial_status })).toEqual([instant(9)]);
  });

  test("nothing else says when", async () => {
    expect(await creditedAt(5364786725600, { closed_at: null })).toEqual([instant(59)]);
  });
});
