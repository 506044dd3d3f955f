import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { CustomerDataRequested, ShopRedacted } from "../platforms/neutral-events.ts";
import { insertPrivacyRequest } from "./privacy-queries.ts";

/**
 * Stores a platform's request until a person acts on it with `pointkeeper privacy` (platforms.md 1.1): to export a customer's data, or to erase the
 * whole shop, which an event alone never does. A repeated request is stored once.
 */
export async function recordRequest(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  event: CustomerDataRequested | ShopRedacted,
): Promise<void> {
  const request = { uid: deps.random.uid(), requestedAt: deps.clock.now() };
  if (event.type === "ShopRedacted") {
    const reference = event.payload.shopId;
    await insertPrivacyRequest(tx, { ...request, kind: "shop_redaction", reference, storefrontId: null, orderIds: [] });
    return;
  }
  const { requestId: reference, customerId: storefrontId, orders: orderIds } = event.payload;
  await insertPrivacyRequest(tx, { ...request, kind: "customer_data", reference, storefrontId, orderIds });
}
