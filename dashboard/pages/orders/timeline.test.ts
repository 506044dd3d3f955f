import { expect, test } from "vitest";
import type { OrderDetail } from "../../../src/admin/orders/schema.ts";
import { causeText } from "./cause-text.ts";
import { itemsText } from "./timeline.ts";

const titled = (line_id: string, title: string) => ({ line_id, title }) as OrderDetail["lines"][number]; // cast: the fields that are read
const order = {
  lines: [titled("a", "Tea bowl"), titled("b/1", "Kettle"), titled("c", "")],
  refunds: [{ id: "r1", created_at: "", money_moved: null, lines: [{ line_id: "b/1", quantity: 2 }] }],
};

test("items are named by their titles, more than one with its count", () => {
  const units = [
    { line_id: "a", quantity: 1 },
    { line_id: "b/1", quantity: 2 },
    { line_id: "c", quantity: 1 },
    { line_id: "gone", quantity: 1 },
  ];
  expect(itemsText(order, units)).toBe("Tea bowl · Kettle × 2 · c · gone");
});

test("a cause is named by products, never by ids", () => {
  const causes = {
    ...{ fulfillment: "Shipment", tax: "Tax of a shipment", paid: "Payment" },
    ...{ refund: "Refund", cancel: "Cancellation", adjust: "Correction" },
  };
  expect(causeText("fulfillment/7/f1/a", causes, order)).toBe("Shipment: Tea bowl");
  expect(causeText("tax/7/f1/b%2F1", causes, order)).toBe("Tax of a shipment: Kettle");
  expect(causeText("paid/7/a/tax", causes, order)).toBe("Payment: Tea bowl");
  expect(causeText("refund/7/r1", causes, order)).toBe("Refund: Kettle × 2");
  expect(causeText("refund/7/r2", causes, order)).toBe("Refund");
  expect(causeText("cancel/7", causes, order)).toBe("Cancellation");
  expect(causeText("adjust/7/1", causes)).toBe("Correction");
});
