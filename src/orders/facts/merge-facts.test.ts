import { describe, expect, test } from "vitest";
import {
  body,
  cancelled,
  fulfillment,
  line,
  minute,
  money,
  refund,
  refunded,
  shipped,
} from "../../../test/support/order-events.ts";
import { mergeFacts, type OrderEvent } from "./merge-facts.ts";
import { decodeFacts, encodeFacts, type StoredFacts } from "./order-facts.ts";

function merge(first: OrderEvent, ...more: readonly OrderEvent[]): StoredFacts {
  return more.reduce((facts, event) => mergeFacts(facts, event), mergeFacts(null, first));
}

const LINES = [line("a", { price: 100 })];

describe("facts of an order", () => {
  test("a newer body replaces what it says, and only that", () => {
    const first = body(1, LINES, { email: "a@example.com", tags: ["x"] });
    const { email: _, ...silent } = body(2, [...LINES, line("b", { price: 5 })], { tags: [] }).payload;
    const merged = merge(first, { ...body(2, LINES), payload: silent });
    expect(merged.stated).toMatchObject({ email: "a@example.com", tags: [] });
    expect(merged.stated.lines).toHaveLength(2);
    expect(merge({ ...body(2, LINES), payload: silent }, first)).toEqual(merged);
  });

  test("a line keeps its product, though later bodies no longer name it", () => {
    const named = body(1, [line("a", { price: 100, productId: "P" }), line("b", { price: 5 })]);
    const nameless = body(2, [line("a", { price: 100 }), line("b", { price: 5 })]);
    for (const merged of [merge(named, nameless), merge(nameless, named), merge(named, nameless, named, nameless)]) {
      expect(merged.stated.lines?.map(({ productId }) => productId)).toEqual(["P", null]);
      expect(merged.stated.updatedAt).toEqual(minute(2));
    }
  });

  test("of two bodies of one second the further one counts", () => {
    const before = body(1, [line("a", { price: 100, quantity: 2, currentQuantity: 2 })], {
      paid: false,
      fulfillmentStatus: "unfulfilled",
    });
    const after = body(1, [line("a", { price: 100, quantity: 2, currentQuantity: 1 })], {
      fulfillmentStatus: "fulfilled",
    });
    for (const { stated } of [merge(before, after), merge(after, before)]) {
      expect(stated).toMatchObject({ financialStatus: "paid", fulfillmentStatus: "fulfilled" });
      expect(stated.lines?.[0]?.currentQuantity).toBe(1);
    }
  });

  test("paid is the first time that any event showed it, and stays", () => {
    const merged = merge(body(5, LINES), body(3, LINES), body(9, LINES, { paid: false }));
    expect([merged.paidAt, merged.stated.financialStatus]).toEqual([minute(3), "pending"]);
    expect(merge(body(5, LINES, { paidAt: minute(2) })).paidAt).toEqual(minute(2));
    expect(merge(body(5, LINES, { paid: false })).paidAt).toBe(null);
  });

  test("a cancellation stays, whatever a newer body says", () => {
    const merged = merge(cancelled(4), body(9, LINES, { cancelledAt: null }));
    expect([merged.cancelledAt, merged.cancelReason]).toEqual([minute(4), "customer"]);
  });

  test("shipments: the later copy holds, a cancelled one for good", () => {
    const merged = merge(
      body(1, LINES, { fulfillments: [fulfillment(1, "f", { a: 1 }, "pending", 2)] }),
      shipped(1, "f", { a: 1 }, "success", 5),
      shipped(1, "g", { a: 1 }, "cancelled", 2),
      shipped(1, "g", { a: 1 }, "success", 7),
      shipped(1, "f", { a: 1 }, "pending", 4),
    );
    expect(merged.fulfillments.map(({ fulfillmentId, status }) => [fulfillmentId, status])).toEqual([
      ["f", "success"],
      ["g", "cancelled"],
    ]);
  });

  test("a shipment was created when its first copy says, though later copies of a sender that does not know it say later", () => {
    const copies = [
      shipped(3, "f", { a: 1 }),
      body(9, LINES, { fulfillments: [fulfillment(9, "f", { a: 1 })] }),
      shipped(12, "f", { a: 2 }),
    ] as const;
    const [first, second, third] = copies;
    for (const merged of [merge(first, second, third), merge(third, second, first), merge(second, third, first)]) {
      expect(merged.fulfillments).toEqual([
        expect.objectContaining({ createdAt: minute(3), updatedAt: minute(12), lines: [{ lineId: "a", quantity: 2 }] }),
      ]);
    }
  });

  test("refunds never go away; known transactions hold over unknown, more over less", () => {
    const known = merge(
      refunded(3, "r", { moved: null }),
      refunded(3, "r", { moved: 0 }),
      refunded(3, "r", { moved: 70 }),
    );
    const merged = merge(
      body(9, LINES, { refunds: [refund(4, "q", { moved: 0 })] }),
      refunded(3, "r", { moved: 70 }),
      refunded(3, "r", { moved: null }),
    );
    expect(known.refunds[0]?.moneyMoved).toEqual(money(70));
    expect(merged.refunds.map(({ refundId, moneyMoved }) => [refundId, moneyMoved?.minor])).toEqual([
      ["r", 70n],
      ["q", 0n],
    ]);
  });

  test("codes are united in any case, a test order stays one", () => {
    const used: OrderEvent = { ...cancelled(2), type: "CouponUsed", payload: { code: "SAVE", orderId: "1" } };
    const coupons = [{ code: "Save", amount: money(40), type: "fixed" }];
    const merged = merge(used, body(1, LINES, { coupons, test: true }), body(3, LINES, { coupons: [] }));
    expect(merged.codes.map(({ code, amount }) => [code, amount?.minor])).toEqual([["save", 40n]]);
    expect(merged.test).toBe(true);
  });

  test("go through JSON unchanged, ids beyond 2^53 digit for digit", () => {
    const lines = [line("820982911946154508", { price: 9_007_199, discounts: [["x", 1]] })];
    const merged = merge(
      body(1, lines, { orderName: null, total: money(2n ** 60n), fulfillments: [fulfillment(1, "f", { a: 1 })] }),
      refunded(3, "r", { lines: [["a", 1, 5, 1]], moved: null }),
    );
    expect(decodeFacts(JSON.parse(JSON.stringify(encodeFacts(merged))))).toEqual(merged);
    expect(() => decodeFacts({ orderId: 1 })).toThrow(TypeError);
  });
});
