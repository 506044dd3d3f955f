import type { OrderEvent } from "../../src/orders/facts/merge-facts.ts";
import type { OrderFacts } from "../../src/platforms/neutral-events.ts";
import { body, line, shipped } from "./order-events.ts";
import { ofOrder } from "./order-flow.ts";

/** A paid and shipped order of one line, with its own fulfilment. */
export function sale(
  id: string,
  customerId: string | null,
  price = 1_000,
  more: Partial<OrderFacts> = {},
): OrderEvent[] {
  const lines = [line("a", { price, productId: `product-of-${id}` })];
  return ofOrder(id, customerId, [body(1, lines, more), shipped(2, "f", { a: 1 })]);
}
