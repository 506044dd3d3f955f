import { expect } from "vitest";
import { type IntakeService, startIntakeService } from "./intake.ts";

/** A store whose orders earn 1 point per dollar, rounded down. */
const PROGRAM = {
  store: { currency: "USD" },
  earning: { point_value: 1, currency_value: 100, rounding: "down" },
} as const;

/** When the orders are placed. */
const AT = "2026-03-01T10:00:00Z";

interface OrderInput {
  readonly id: string;
  readonly at?: string;
  readonly more: object;
  readonly type?: string;
}

export function startUsdStore(): Promise<IntakeService> {
  return startIntakeService({ program: PROGRAM });
}

export const usd = (minor: number | string) => ({ minor, currency: "USD" });

/** An event with an order of the customer `C-<id>`. */
export function order({ id, at = AT, more, type = "OrderPaid" }: OrderInput): object {
  const payload = { order_id: id, customer_id: `C-${id}`, processed_at: AT, shop_currency: "USD", ...more };
  return { type, occurred_at: at, payload };
}

export function line(id: string, price: number | string, quantity = 1, more: object = {}): object {
  return { line_id: id, quantity, unit_price: usd(price), ...more };
}

/** The lines of a fulfilment: the id and the quantity of each. */
export const ships = (...lines: readonly [string, number][]) =>
  lines.map(([line_id, quantity]) => ({ line_id, quantity }));

/** Sends events, all of which are accepted, and processes them. */
export async function sendEvents(
  service: IntakeService,
  events: readonly object[],
): Promise<Record<string, unknown>[]> {
  const answer = await service.client.post("/intake/events", events);
  expect([answer.status, answer.body.errors]).toEqual([202, undefined]);
  await service.drain();
  return answer.body.data;
}
