import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { CustomerDataRequested, ShopRedacted } from "../platforms/neutral-events.ts";
import { insertPrivacyRequest } from "./privacy-queries.ts";

/**
 * Keeps what a platform asks for until a person acts (platforms.md 1.1): to hand out a customer's data, or to erase the whole
 * shop, which no event alone does: `pointkeeper privacy`. A request that comes again is stored once.
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
