import { checkSignature, deliveryKey } from "../delivery-signature.ts";
import type { DeliveryHead, Headers } from "../platform.ts";

/** Checks `X-Shopify-Hmac-SHA256` as `checkSignature`. */
export function verifySignature(headers: Headers, rawBody: Uint8Array, secrets: readonly string[]) {
  return checkSignature(shopifyHeader(headers, "hmac-sha256"), rawBody, secrets);
}

/** Returns the topic, shop and key of a delivery, from its headers (platforms.md 1.2 and 1.4). null if it names no topic or no shop. */
export function describe(headers: Headers, rawBody: Uint8Array): DeliveryHead | null {
  const topic = shopifyHeader(headers, "topic");
  const shop = shopifyHeader(headers, "shop-domain");
  if (topic === undefined || shop === undefined) return null;
  return {
    topic,
    shop: shop.toLowerCase(),
    apiVersion: shopifyHeader(headers, "api-version") ?? null,
    deliveryKey: deliveryKey(shopifyHeader(headers, "webhook-id"), topic, rawBody),
  };
}

/** Reads a header. Newer deliveries use the same names without the `x-`. undefined if absent or empty. */
export function shopifyHeader(headers: Headers, name: string): string | undefined {
  return headers.get(`x-shopify-${name}`) || headers.get(`shopify-${name}`) || undefined;
}
