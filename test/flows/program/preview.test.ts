import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mergeFacts } from "../../../src/orders/facts/merge-facts.ts";
import type { StoredFacts } from "../../../src/orders/facts/order-facts.ts";
import { translate } from "../../../src/platforms/shopify/translate.ts";
import { STORIES } from "../../fixtures/stories/all.ts";
import type { Story } from "../../fixtures/stories/story.ts";
import { exampleRuns } from "../../support/example-runs.ts";
import { type IntakeService, startIntakeService, storesByCurrency } from "../../support/intake.ts";
import { wireOrder } from "../../support/order-wire.ts";

const PREVIEW = "/api/storefront/orders/preview";

const stores = storesByCurrency();
afterAll(() => stores.stop());

/** All events of a story's order, in neutral form. */
function factsOf({ messages, currency, orderId }: Story): StoredFacts {
  let facts: StoredFacts | null = null;
  for (const { topic, body } of messages) {
    const headers = new Map([["x-shopify-topic", topic]]);
    const receivedAt = Temporal.Instant.from("2026-03-03T00:00:00Z");
    const translation = translate({ headers, rawBody: Buffer.from(body), receivedAt, currency });
    if (!translation.ok) throw new Error(translation.fault);
    for (const event of translation.events) {
      const isOfOrder = event.subject === `order/${orderId}` && event.type !== "OrderEdited";
      if (isOfOrder && event.type !== "OrderDeleted" && "orderId" in event.payload) {
        facts = mergeFacts(facts, event as Parameters<typeof mergeFacts>[1]); // cast: the events of an order, but for the two above
      }
    }
  }
  if (facts === null) throw new Error("a story tells of an order");
  return facts;
}

describe("a preview of each story's order is what the story awards", () => {
  test.each(STORIES)("$name", async (story) => {
    const service = await stores.of(story.currency);
    service.clock.set("2026-03-05T00:00:00Z");
    const body = wireOrder(factsOf(story));
    const before = await service.client.post(PREVIEW, body);
    expect(before.status).toBe(200);
    expect(before.body.data.points).toBe(Number(story.expected.points));
    for (const [n, message] of story.messages.entries()) {
      await service.deliver(message.topic, message.body, { id: `preview-${n}` });
    }
    await service.drain();
    const orders = await service.client.get(`/api/storefront/orders?ids=${story.orderId}`);
    expect(before.body.data.points).toBe(orders.body.data[story.orderId].awardable_points);
    expect((await service.client.post(PREVIEW, body)).body.data.points).toBe(before.body.data.points);
  });
});

const PROGRAM = {
  store: { currency: "USD", time_zone: "America/New_York" },
  earning: {
    rounding: "half_up",
    separate_tax: true,
    pending_days: 0,
    excluded_product_tags: ["no-points"],
    bonus_collections: [{ collection_id: "77", point_value: 3, currency_value: 70, starts_at: null, ends_at: null }],
  },
  campaigns: [
    {
      name: "Spring",
      starts_at: "2026-03-10T00:00:00-04:00",
      ends_at: "2026-03-20T00:00:00-04:00",
      point_value: 5,
      currency_value: 300,
      by_tier: { Silver: { point_value: 7, currency_value: 300 } },
    },
  ],
  tiers: {
    rules: [
      { name: "Bronze", default: true, currency_spent_requirement: 0, point_value: 1, currency_value: 130 },
      { name: "Silver", default: false, currency_spent_requirement: 900_000_000, point_value: 2, currency_value: 130 },
    ],
  },
};

const usd = (minor: number) => ({ minor, currency: "USD" });
const line = fc.record({
  quantity: fc.integer({ min: 1, max: 4 }),
  price: fc.integer({ min: 0, max: 9_999 }),
  discount: fc.integer({ min: 0, max: 500 }),
  tax: fc.integer({ min: 0, max: 800 }),
  kind: fc.constantFrom("product", "product", "product", "custom", "gift_card", "tip", "fee"),
  tags: fc.constantFrom([], ["tea"], ["No-Points"]),
  collections: fc.constantFrom([], ["77"], ["1", "77"]),
});
const order = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 6 }),
  taxesIncluded: fc.boolean(),
  isSilver: fc.boolean(),
  day: fc.constantFrom("05", "12", "25"),
});

describe("random orders through the front door", () => {
  let service: IntakeService;
  beforeAll(async () => {
    service = await startIntakeService({ now: "2026-03-01T00:00:00Z", program: PROGRAM });
    for (const id of ["bronze", "silver"]) await service.client.put(`/api/storefront/customers/${id}`, {});
    await service.client.post("/api/storefront/point_balances/silver/tiers", { tier: "Silver" });
    service.clock.set("2026-04-01T00:00:00Z");
  });
  afterAll(() => service.stop());

  test("what is shown is what is granted, line by line", async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(order, async ({ lines, taxesIncluded, isSilver, day }) => {
        const orderId = `R-${++count}`;
        const time = `2026-03-${day}T12:00:00Z`;
        const payload = {
          order_id: orderId,
          customer_id: isSilver ? "silver" : "bronze",
          processed_at: time,
          shop_currency: "USD",
          taxes_included: taxesIncluded,
          lines: lines.map(({ price, discount, tax, ...rest }, n) => ({
            ...rest,
            line_id: `${orderId}-${n}`,
            unit_price: usd(price),
            discounts: [{ amount: usd(discount) }],
            tax: usd(tax),
          })),
        };
        const preview = await service.client.post(PREVIEW, payload);
        expect(preview.status).toBe(200);
        const shipped = payload.lines.map(({ line_id, quantity }) => ({ line_id, quantity }));
        await service.client.post("/intake/events", [
          { type: "OrderPaid", occurred_at: time, payload },
          {
            type: "OrderFulfilled",
            occurred_at: time,
            payload: { order_id: orderId, fulfillment: { fulfillment_id: `F-${orderId}`, lines: shipped } },
          },
        ]);
        await service.drain();
        const granted = await service.deps.db.query<{ object: string; points: bigint }>(
          "select object, sum(point_value)::bigint as points from allotment where parent = $1 group by object",
          [`order-${orderId}`],
        );
        const shown = preview.body.data.lines.map((one: { line_id: string; points: number }) => [
          `line_item-${one.line_id}`,
          one.points,
        ]);
        const grantedBy = new Map(granted.map(({ object, points }) => [object, Number(points)]));
        expect(shown).toEqual(shown.map(([object]: [string]) => [object, grantedBy.get(object) ?? 0]));
        const total = granted.reduce((sum, { points }) => sum + Number(points), 0);
        expect(preview.body.data.points).toBe(total);
        expect(preview.body.data.campaign).toBe(day === "12" ? "Spring" : null);
      }),
      { numRuns: exampleRuns(25) },
    );
  });

  test("a cart needs neither ids nor a customer, and nothing is written", async () => {
    const rows = "select (select count(*) from store_order) + (select count(*) from customer) as n";
    const before = await service.deps.db.query(rows);
    const { status, body } = await service.client.post(PREVIEW, {
      currency: "USD",
      lines: [
        { quantity: 2, unit_price: usd(1_300) },
        { quantity: 1, unit_price: usd(500), kind: "gift_card" },
      ],
    });
    expect(status).toBe(200);
    const data = { customer_id: null, points: 20, rate_origin: "tier", tier: { name: "Bronze" }, campaign: null };
    expect(body.data).toMatchObject(data);
    const [tea, card] = body.data.lines;
    expect(tea).toMatchObject({ line_id: "1", base: 2_600, points: 20, points_exact: "20", excluded_by: null });
    expect(card).toMatchObject({ line_id: "2", base: 0, points: 0, points_exact: "0", excluded_by: "goods_only" });
    expect(await service.deps.db.query(rows)).toEqual(before);
  });

  test("a customer by e-mail, another currency, and what is refused", async () => {
    await service.client.put("/api/storefront/customers/bronze", { email: "b@example.com" });
    const lines = [{ quantity: 1, unit_price: { minor: 1_300, currency: "EUR" } }];
    const other = await service.client.post(PREVIEW, { customer_id: "B@example.com", lines });
    expect(other.body.data).toMatchObject({ customer_id: "bronze", points: 0, currency: "USD" });
    expect(other.body.data.lines[0].excluded_by).toBe("store_currency");
    expect((await service.client.post(PREVIEW, {})).status).toBe(422);
    expect((await service.client.post(PREVIEW, "{")).status).toBe(400);
    const faulty = await service.client.post(PREVIEW, { lines: [{ quantity: "2" }, { quantity: 1 }] });
    expect(faulty.status).toBe(422);
    expect(faulty.body.errors.map(({ source }: { source: { pointer: string } }) => source.pointer)).toContain(
      "/lines/1/unit_price",
    );
    expect((await service.client.as(null).post(PREVIEW, { lines })).status).toBe(401);
  });

  test("a fault names the field as the body does, and no body is an empty one", async () => {
    const pointersOf = async (body?: unknown, headers?: Record<string, string>) => {
      const { status, body: refusal } = await service.client.post(PREVIEW, body, headers);
      const pointers = refusal.errors.map(({ source }: { source: { pointer: string } }) => source.pointer);
      return [status, [...new Set(pointers)]];
    };
    const lines = [{ quantity: 1, unit_price: usd(1_300) }];
    for (const currency of ["dollars", "us", null, 5])
      expect(await pointersOf({ currency, lines })).toEqual([422, ["/currency"]]);
    expect(await pointersOf({ shop_currency: "us", lines })).toEqual([422, ["/shop_currency"]]);
    expect(await pointersOf()).toEqual([422, ["/lines"]]);
    expect(await pointersOf("", { "content-type": "application/json" })).toEqual([422, ["/lines"]]);
    expect(await pointersOf("null")).toEqual([422, ["/lines"]]);
    for (const body of [[], '"x"', "5"]) expect(await pointersOf(body)).toEqual([422, [""]]);
    const both = await service.client.post(PREVIEW, { shop_currency: "USD", currency: "dollars", lines });
    expect([both.status, both.body]).toEqual([200, (await service.client.post(PREVIEW, { lines })).body]);
  });
});
