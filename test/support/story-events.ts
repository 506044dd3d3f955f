import type { OrderEvent } from "../../src/orders/facts/merge-facts.ts";
import { translate } from "../../src/platforms/shopify/translate.ts";
import type { STORIES } from "../fixtures/stories/all.ts";

const receivedAt = Temporal.Instant.from("2026-03-05T00:00:00Z");

/** The events of a story's order, in the order in which they happened. */
export function storyEvents({ messages, currency, orderId }: (typeof STORIES)[number]): OrderEvent[] {
  return messages.flatMap(({ topic, body }) => {
    const headers = new Map([["x-shopify-topic", topic]]);
    const translation = translate({ headers, rawBody: Buffer.from(body), receivedAt, currency });
    if (!translation.ok) throw new Error(translation.fault);
    return translation.events.flatMap((event): OrderEvent[] => {
      switch (event.type) {
        case "OrderPlaced":
        case "OrderUpdated":
        case "OrderPaid":
        case "OrderFulfilled":
        case "OrderRefunded":
        case "OrderCancelled":
          return event.payload.orderId === orderId ? [event] : [];
        default:
          return [];
      }
    });
  });
}
