import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { STORIES } from "../fixtures/stories/all.ts";
import { API, explain, ledgerOf, yen } from "../support/explain.ts";
import { type IntakeService, startIntakeService } from "../support/intake.ts";

describe("an order's allotments", () => {
  let service: IntakeService;
  const order = {
    order_id: "7001",
    customer_id: "hana",
    processed_at: "2026-03-02T01:00:00Z",
    shop_currency: "JPY",
    taxes_included: true,
    lines: [
      { line_id: "a", title: "Tea bowl", quantity: 3, unit_price: yen(333) },
      { line_id: "b", title: "Kettle", quantity: 1, unit_price: yen(1_250), discounts: [{ amount: yen(200) }] },
      { line_id: "c", title: "Gift card", quantity: 1, unit_price: yen(5_000), kind: "gift_card" },
    ],
  };
  const shipment = (id: string, lines: object[]) => ({
    type: "OrderFulfilled",
    occurred_at: "2026-03-02T03:00:00Z",
    payload: { order_id: "7001", fulfillment: { fulfillment_id: id, lines } },
  });

  async function send(...events: object[]): Promise<void> {
    service.clock.advance({ minutes: 1 });
    expect((await service.client.post("/intake/events", events)).status).toBe(202);
    await service.drain();
  }

  beforeAll(async () => {
    service = await startIntakeService({ now: "2026-03-01T00:00:00Z", program: { store: { currency: "JPY" } } });
    service.clock.set("2026-03-02T05:00:00Z");
    await send({ type: "OrderPaid", occurred_at: "2026-03-02T01:00:00Z", payload: order });
    await send(shipment("S1", [{ line_id: "a", quantity: 2 }]));
    await send(
      shipment("S2", [
        { line_id: "a", quantity: 1 },
        { line_id: "b", quantity: 1 },
      ]),
    );
  });
  afterAll(() => service.stop());

  test("an award: lines, rate and its origin, the sum before rounding, and its share by cumulative rounding", async () => {
    const [first] = await ledgerOf(service.client, "hana");
    const a = await explain(service.client, first.uid);
    expect(a).toMatchObject({
      uid: first.uid,
      customer_id: "hana",
      type: "fulfillment",
      balance_before: 0,
      balance_after: 7,
    });
    expect(a.order).toMatchObject({
      id: "7001",
      cause: "fulfillment/7001/S1/a",
      wanted: 7,
      taken: 7,
      outcome: "posted",
    });
    expect(a.order.is_reproduced).toBe(true);
    expect(a.order.rules).toMatchObject({
      rate: { point_value: 1, currency_value: 100 },
      rate_origin: "tier",
      tier: { name: "Bronze" },
      rounding: "up",
    });
    expect(a.order.step).toMatchObject({
      kind: "award",
      line_id: "a",
      fulfillment_id: "S1",
      units: 2,
      exact_before: "0",
      exact_after: "6.66",
      before: 0,
      after: 7,
    });
    const [tea, kettle, card] = a.order.lines;
    expect(tea).toMatchObject({ gross: 999, discount: 0, base: 999, points_exact: "9.99", excluded_by: null });
    expect(kettle).toMatchObject({ gross: 1_250, discount: 200, base: 1_050, points_exact: "10.5" });
    expect(card).toMatchObject({ base: 0, points_exact: "0", excluded_by: "goods_only", rate: null });
  });

  test("later awards go on from what was given before", async () => {
    const [, second, third] = await ledgerOf(service.client, "hana");
    const steps = await Promise.all([second, third].map(({ uid }) => explain(service.client, uid)));
    expect(steps.map(({ order: { step } }) => [step.exact_before, step.exact_after, step.before, step.after])).toEqual([
      ["6.66", "9.99", 7, 10],
      ["9.99", "20.49", 10, 21],
    ]);
  });

  test("an award: the events received, who asked, and the same in words", async () => {
    const [first] = await ledgerOf(service.client, "hana");
    const a = await explain(service.client, first.uid);
    expect(a.received.map(({ topic, adapter }: Record<string, string>) => [topic, adapter])).toEqual([
      ["OrderPaid", "neutral"],
      ["OrderFulfilled", "neutral"],
      ["OrderFulfilled", "neutral"],
    ]);
    expect(a.asked_by).toMatchObject({ app_reference: "manual_integration", credential: null });
    expect(a.words).toEqual([
      "+7 points on 2 Mar 2026, 14:02: points for an order.",
      'Order 7001, "Tea bowl".',
      "The balance went from 0 to 7.",
      "It followed from an event of manual_integration.",
      '"Tea bowl": ¥999, earns on ¥999; 1 per ¥100: 9.99 points before rounding.',
      "The rate is that of the tier Bronze: 1 per ¥100.",
      "Points are rounded up, once for the order.",
      "With this shipment the order earned 6.66 points in total, rounded to 7; 0 were given before, so this is 7.",
      "Remaining: 7 points; they expire on 3 Mar 2027, 00:00.",
      "It extended the expiry of the balance.",
      "Version 1 of the program was valid, made by pointkeeper on 1 Mar 2026, 09:00.",
    ]);
    const inJapanese = await explain(service.client, first.uid, "ja");
    expect(inJapanese.words).toHaveLength(a.words.length);
    expect(inJapanese.words[0]).toBe("2026/03/02 14:02 に +7 ポイント: 注文によるポイント付与。");
    expect(inJapanese.words.join("")).toContain("端数処理は注文ごとに一度、切り上げです。");
  });

  test("a refund: what it lowered, what was wanted, taken and forgiven, and whose lots it burnt", async () => {
    await service.client.post(`${API}/point_allotments`, { customer_id: "hana", point_value: -15 });
    await send({
      type: "OrderRefunded",
      occurred_at: "2026-03-02T04:00:00Z",
      payload: {
        order_id: "7001",
        refund: {
          refund_id: "R1",
          lines: [{ line_id: "b", quantity: 1, restock: "return", subtotal: yen(1_050) }],
          money_moved: yen(1_050),
        },
      },
    });
    const ledger = await ledgerOf(service.client, "hana");
    const refund = await explain(service.client, ledger.at(-1).uid);
    expect(refund).toMatchObject({ type: "refund", point_value: -6, balance_before: 6, balance_after: 0 });
    expect(refund.order).toMatchObject({ wanted: -11, taken: -6, forgiven: 5, outcome: "capped", is_reproduced: true });
    expect(refund.order.step).toMatchObject({
      kind: "refund",
      before: 21,
      after: 10,
      exact_before: "20.49",
      exact_after: "9.99",
    });
    expect(refund.order.step.refund).toMatchObject({ refund_id: "R1", money_moved: 1_050 });
    expect(refund.words.join(" ")).not.toContain("Tea bowl");
    expect(refund.words).toContain(
      "The refund lowered the points for what had shipped from 21 to 10 (9.99 before rounding).",
    );
    expect(refund.words).toContain("The balance did not hold the other 5: they were forgiven.");
    const third = ledger[2];
    expect(refund.draws).toEqual([expect.objectContaining({ points: 6, uid: third.uid, object: "line_item-b" })]);
    const award = await explain(service.client, third.uid);
    expect(award.used_by.map(({ type, points }: { type: string; points: number }) => [type, points])).toEqual([
      ["api", 5],
      ["refund", 6],
    ]);
    expect(award.lots).toEqual([]);
    expect(award.order).toMatchObject({ is_reproduced: true, wanted: 11 });
    expect(award.words).toContain("None of them are left.");
  });
});

describe("every allotment of every story is computed again from what is kept", () => {
  const stores = new Map<string, IntakeService>();
  afterAll(async () => {
    for (const store of stores.values()) await store.stop();
  });

  test.each(STORIES)("$name", async (story) => {
    const known = stores.get(story.currency);
    const options = { now: "2026-03-01T00:00:00Z", program: { store: { currency: story.currency } } };
    const service = known ?? (await startIntakeService(options));
    stores.set(story.currency, service);
    service.clock.set("2026-05-01T00:00:00Z");
    for (const [n, { topic, body }] of story.messages.entries()) {
      await service.deliver(topic, body, { id: `told-${n}` });
      await service.drain();
      service.clock.advance({ minutes: 1 });
    }
    const ledger = await ledgerOf(service.client, story.customerId);
    expect(ledger.length).toBeGreaterThan(0);
    for (const { uid, point_value } of ledger) {
      const { order } = await explain(service.client, uid);
      expect(order).toMatchObject({ id: story.orderId, taken: point_value });
      expect(order.step.after - order.step.before).toBe(order.wanted);
      expect(order.is_reproduced).toBe(true);
    }
  });
});
