import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { processAllReceipts } from "../../src/intake/process-all-receipts.ts";
import type { TestService } from "./service.ts";

/** Places a guest's order of a store in yen that awards so many points once it is paid. Returns what pays it. */
export async function placeGuestOrder(
  service: TestService,
  email: string,
  points: number,
): Promise<() => Promise<void>> {
  const unit_price = { minor: points * 100, currency: "JPY" };
  const payload = {
    ...{ order_id: randomUUID(), email, shop_currency: "JPY", processed_at: service.clock.now().toString() },
    lines: [{ line_id: "1", quantity: 1, unit_price, requires_shipping: false }],
  };
  const send = async (type: string): Promise<void> => {
    const sent = await service.client.post("/intake/events", { type, payload });
    expect(sent.status, sent.text).toBe(202);
    await processAllReceipts(service.deps);
  };
  await send("OrderPlaced");
  return () => send("OrderPaid");
}
