import { expect, test } from "vitest";
import { warningsOf } from "./event-warnings.ts";
import type { NeutralEvent, OrderLine } from "./neutral-events.ts";

const COUNT = 100;

test("the lines of an order are read a few times, however many shipments and refunds name some of them", () => {
  let reads = 0;
  const money = { minor: 100n, currency: "JPY" };
  const at = Temporal.Instant.from("2026-03-01T00:00:00Z");
  const line: OrderLine = {
    ...{ productId: null, variantId: null, title: "", quantity: COUNT, currentQuantity: null, unitPrice: money },
    ...{ discounts: [], tax: { ...money, minor: 0n }, kind: "product" },
    get lineId() {
      reads++;
      return "1";
    },
  };
  const units = (lineId: string) => [{ lineId, quantity: 1 }];
  const fulfillments = Array.from({ length: COUNT }, (_, i) => ({
    ...{ fulfillmentId: `${i}`, status: "success", createdAt: at, updatedAt: at, lines: units(i === 7 ? "2" : "1") },
  })) satisfies { status: string }[];
  const payload = { orderId: "1", lines: [line], fulfillments, refunds: [] };
  const event = { type: "OrderUpdated", payload } as unknown as NeutralEvent; // cast: warnings read nothing else of an event
  expect(warningsOf(event, "JPY").map(({ pointer }) => pointer)).toEqual(["/payload/fulfillments/7/lines/0/line_id"]);
  expect(reads).toBeLessThan(10);
});
