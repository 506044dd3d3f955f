import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wooOrder } from "../../../test/support/woocommerce.ts";
import { woocommerce } from "../../platforms/woocommerce/adapter.ts";
import { mergeFacts, type OrderEvent } from "./merge-facts.ts";
import type { StoredFacts } from "./order-facts.ts";

/** An order's states of one second, as WooCommerce sends them: all have the time of change of the fixture. */
const TIME = { date_paid_gmt: "2026-03-01T10:00:08" };
const STATES = [
  { status: "pending", date_paid_gmt: null },
  { status: "processing", ...TIME },
  { status: "completed", ...TIME, date_completed_gmt: "2026-03-01T10:00:08" },
] as const;
const START = Temporal.Instant.from("2026-03-01T10:00:09Z");
const LATER_MS = 20_000;

function stated(fields: object, afterMs: number): OrderEvent {
  const translation = woocommerce.translate({
    headers: new Map(Object.entries(woocommerce.headersFor("order.updated"))),
    rawBody: Buffer.from(JSON.stringify(wooOrder(fields))),
    receivedAt: START.add({ milliseconds: afterMs }),
    currency: "USD",
  });
  const event = translation.ok ? translation.events.at(-1) : undefined;
  if (event?.type !== "OrderUpdated") throw new Error(JSON.stringify(translation));
  return event;
}

const merged = (events: readonly OrderEvent[]): StoredFacts => {
  const [first, ...more] = events;
  if (first === undefined) throw new Error("no event");
  return more.reduce(mergeFacts, mergeFacts(null, first));
};

const COMPLETED = { financialStatus: "paid", fulfillmentStatus: "fulfilled", isFulfilledWhole: true };
/** When each state arrives, within ten seconds of the first. */
const arrivals = fc.tuple(...STATES.map(() => fc.integer({ min: 0, max: 10_000 })));
const statesOf = (ms: readonly number[]): OrderEvent[] => STATES.map((fields, n) => stated(fields, ms[n] ?? 0));
const inAnyOrder = (events: readonly OrderEvent[]) =>
  fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2, maxLength: events.length * 2 });

describe("bodies of an order with one time of change", () => {
  test("a state that arrives later never replaces a further one", () => {
    const histories = arrivals.chain((ms) => inAnyOrder(statesOf(ms)));
    fc.assert(
      fc.property(histories, (events) => {
        expect(merged(events).stated).toMatchObject(COMPLETED);
      }),
      { numRuns: 200 },
    );
  });

  test("lines, sums and the customer are those that arrived last, whatever the state of their body", () => {
    const line = { id: 315, name: "Green tea", product_id: 93, variation_id: 0, subtotal_tax: "0", total_tax: "0" };
    const edit = (quantity: number) => {
      const sum = `${quantity * 20}.00`;
      const line_items = [{ ...line, quantity, subtotal: sum, total: sum }];
      return { customer_id: 26 + quantity, line_items, total_tax: "0.00", shipping_total: "0.00", total: sum };
    };
    const edits = fc.record({ state: fc.constantFrom(...STATES), quantity: fc.integer({ min: 1, max: 9 }) });
    const histories = fc.tuple(arrivals, edits).chain(([ms, { state, quantity }]) => {
      const events = [...statesOf(ms), stated({ ...state, ...edit(quantity) }, LATER_MS)];
      return fc.record({ quantity: fc.constant(quantity), events: inAnyOrder(events) });
    });
    fc.assert(
      fc.property(histories, ({ quantity, events }) => {
        const { lines = [], total, ...others } = merged(events).stated;
        expect(others).toMatchObject({ ...COMPLETED, customerId: `${26 + quantity}` });
        expect(lines.map((one) => one.quantity)).toEqual([quantity]);
        expect(total?.minor).toBe(BigInt(quantity * 2000));
      }),
      { numRuns: 200 },
    );
  });
});
