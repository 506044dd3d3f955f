import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { STORIES } from "../../../test/fixtures/stories/all.ts";
import { YEN_RULES } from "../../../test/support/order-rules.ts";
import { runOrder } from "../../../test/support/run-order.ts";
import type { NeutralEvent } from "../../platforms/neutral-events.ts";
import { translate } from "../../platforms/shopify/translate.ts";
import type { OrderEvent } from "../facts/merge-facts.ts";

const OF_ORDERS = ["OrderPlaced", "OrderUpdated", "OrderPaid", "OrderFulfilled", "OrderRefunded", "OrderCancelled"];

const isOfOrders = (event: NeutralEvent): event is OrderEvent => OF_ORDERS.includes(event.type);

describe.each(STORIES)("$name", ({ messages, currency, expected }) => {
  const events = messages.flatMap(({ topic, body }) => {
    const headers = new Map([["x-shopify-topic", topic]]);
    const receivedAt = Temporal.Instant.from("2026-05-01T00:00:00Z");
    const translation = translate({ headers, rawBody: Buffer.from(body), receivedAt, currency });
    return translation.ok ? translation.events.filter(isOfOrders) : [];
  });

  test("comes to what was computed by hand, in any order and repetition", () => {
    const all = [...events, ...events];
    const shuffled = fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length });
    fc.assert(
      fc.property(shuffled, (others) => {
        for (const history of [events, others]) {
          const { plan, postings } = runOrder(history, { ...YEN_RULES, currency });
          const balance = postings.reduce((sum, { pointValue }) => sum + pointValue, 0n);
          expect([plan.awardablePoints, plan.pointsAwarded, balance]).toEqual(Array(3).fill(expected.points));
          expect(plan.tierSpend?.minor ?? 0n).toBe(expected.spend);
        }
      }),
      { numRuns: 50 },
    );
  });

  test("earns on its way", () => {
    const { postings } = runOrder(events, { ...YEN_RULES, currency });
    expect(postings.some(({ type, pointValue }) => type === "fulfillment" && pointValue > 0n)).toBe(true);
  });
});
