import { describe, expect, test } from "vitest";
import { STORIES } from "../../../test/fixtures/stories/all.ts";
import type { OrderFacts, RefundFact } from "../neutral-events.ts";
import { translate } from "./translate.ts";

const RECEIVED = Temporal.Instant.from("2026-05-01T00:00:00Z");

function eventsOf(messages: readonly { topic: string; body: string }[]) {
  return messages.flatMap(({ topic, body }) => {
    const headers = new Map([["x-shopify-topic", topic]]);
    const translation = translate({ headers, rawBody: Buffer.from(body), receivedAt: RECEIVED, currency: "XXX" });
    expect(translation).toMatchObject({ ok: true });
    return translation.ok ? translation.events : [];
  });
}

const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);

function goodsOf(order: OrderFacts) {
  return (order.lines ?? []).filter(({ kind }) => kind !== "tip");
}

/** Lines after discounts, tax as the order has it, gift cards and tips left out: the base before refunds. */
function baseOf(order: OrderFacts): bigint {
  const lines = (order.lines ?? []).filter(({ kind }) => kind !== "tip" && kind !== "gift_card");
  return total(
    lines.map((line) => {
      const taken = total(line.discounts.map(({ amount }) => amount.minor));
      return line.unitPrice.minor * BigInt(line.quantity) - taken + (order.taxesIncluded ? 0n : line.tax.minor);
    }),
  );
}

/** What a refund takes from the base: goods money where money moved, else its lines. */
function lostBy(refund: RefundFact, order: OrderFacts): bigint {
  const moved = refund.moneyMoved?.minor ?? 0n;
  if (moved > 0n) return moved - refund.shipping.minor - refund.shippingTax.minor;
  return total(refund.lines.map((line) => line.subtotal.minor + (order.taxesIncluded ? 0n : line.tax.minor)));
}

describe.each(STORIES)("$name", (story) => {
  const events = eventsOf(story.messages);
  const orders = events.flatMap((event) => (event.type === "OrderUpdated" ? [event.payload] : []));
  const last = orders.at(-1);

  test("names its order and customer in every message", () => {
    const subjects = new Set(events.map(({ subject }) => subject));
    expect([...subjects].sort()).toEqual([`customer/${story.customerId}`, `order/${story.orderId}`]);
    expect(new Set(orders.map((order) => order.customerId))).toEqual(new Set([story.customerId]));
  });

  test("holds the identities of recorded orders", () => {
    expect(orders.length).toBeGreaterThan(0);
    for (const order of orders) {
      const taken = total(goodsOf(order).flatMap((line) => line.discounts.map(({ amount }) => amount.minor)));
      const gross = total(goodsOf(order).map((line) => line.unitPrice.minor * BigInt(line.quantity)));
      const tax = order.taxesIncluded ? 0n : (order.taxTotal?.minor ?? 0n);
      expect(order.subtotal?.minor).toBe(gross - taken);
      expect(order.discountTotal?.minor).toBe(taken);
      expect(order.total?.minor).toBe(
        gross - taken + tax + (order.shippingTotal?.minor ?? 0n) + (order.tipTotal?.minor ?? 0n),
      );
    }
  });

  test("its facts come to the spend and the points computed by hand", () => {
    if (last === undefined) throw new Error("a story ends with its order known");
    const lost = total(last.refunds.map((refund) => lostBy(refund, last)));
    const base = baseOf(last) - lost;
    expect(base).toBe(story.expected.spend);
    expect((base + 99n) / 100n).toBe(story.expected.points);
  });

  test("a refund's own message and the order's copy of it agree", () => {
    const own = events.flatMap((event) => (event.type === "OrderRefunded" ? [event.payload.refund] : []));
    expect(own.map((refund) => last?.refunds.find(({ refundId }) => refundId === refund.refundId))).toEqual(own);
  });
});

test("codes keep their cents, line by line", () => {
  const story = STORIES.find(({ name }) => name === "codes with cents left over");
  const order = eventsOf(story?.messages ?? []).flatMap((event) =>
    event.type === "OrderUpdated" ? [event.payload] : [],
  )[0];
  expect(order?.lines?.map((line) => line.discounts.map(({ code, amount }) => [code, amount.minor]))).toEqual([
    [
      ["TENOFF", 334n],
      [null, 34n],
    ],
    [
      ["TENOFF", 333n],
      [null, 33n],
    ],
    [
      ["TENOFF", 333n],
      [null, 33n],
    ],
  ]);
  expect(order?.coupons).toEqual([
    { code: "TENOFF", amount: { minor: 1_000n, currency: "USD" }, type: "fixed_amount" },
  ]);
});

test("ids beyond 2^53 stay digit for digit in every message", () => {
  const story = STORIES.find(({ name }) => name === "ids beyond 2^53");
  const events = eventsOf(story?.messages ?? []);
  const shipments = events.flatMap((event) => (event.type === "OrderFulfilled" ? [event.payload] : []));
  expect(shipments).toMatchObject([
    {
      orderId: "820982911946154509",
      fulfillment: { fulfillmentId: "820982911946155009", lines: [{ lineId: "9007199254740993" }] },
    },
  ]);
});
