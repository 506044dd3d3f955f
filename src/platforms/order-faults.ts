import { MONEY_MAX } from "./money.ts";
import type { OrderFacts } from "./neutral-events.ts";
import { grossOf } from "./quantity.ts";

/** Returns what is wrong with an order whose single fields are valid: sums beyond 64 bits, or a duplicate. */
export function faultOfOrder(order: OrderFacts): string | null {
  const lines = order.lines ?? [];
  if (lines.reduce((total, line) => total + grossOf(line), 0n) > MONEY_MAX)
    return `lines that add up to at most ${MONEY_MAX}`;
  if (hasTwice(lines.map((line) => line.lineId))) return "lines with ids that differ";
  if (hasTwice(order.fulfillments.map((one) => one.fulfillmentId))) return "fulfillments with ids that differ";
  if (hasTwice(order.refunds.map((refund) => refund.refundId))) return "refunds with ids that differ";
  return null;
}

function hasTwice(ids: readonly string[]): boolean {
  return new Set(ids).size < ids.length;
}
