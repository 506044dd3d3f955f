import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { DeliveryHead, Headers } from "../platform.ts";

/**
 * Checks base64(HMAC-SHA256(secret, raw body)) against each secret in constant time (platforms.md 1.3): several, because a
 * rotation takes an hour and notifications of the store's own settings are signed with another one. An empty secret is none.
 */
export function verifySignature(
  headers: Headers,
  rawBody: Uint8Array,
  secrets: readonly string[],
): "ok" | "bad_signature" | "missing_header" {
  const given = shopifyHeader(headers, "hmac-sha256");
  if (given === undefined) return "missing_header";
  const signature = Buffer.from(given, "base64");
  let matches = 0;
  for (const secret of secrets) {
    if (secret === "") continue;
    const expected = createHmac("sha256", secret).update(rawBody).digest();
    if (signature.length === expected.length && timingSafeEqual(signature, expected)) matches += 1;
  }
  return matches > 0 ? "ok" : "bad_signature";
}

/** Topic, shop and key of a delivery, from its headers (platforms.md 1.2 and 1.4). Null when it names no topic or no shop. */
export function describe(headers: Headers, rawBody: Uint8Array): DeliveryHead | null {
  const topic = shopifyHeader(headers, "topic");
  const shop = shopifyHeader(headers, "shop-domain");
  if (topic === undefined || shop === undefined) return null;
  const hash = createHash("sha256").update(`${topic}\n`).update(rawBody).digest("hex");
  return {
    topic,
    shop: shop.toLowerCase(),
    apiVersion: shopifyHeader(headers, "api-version") ?? null,
    deliveryKey: `${shopifyHeader(headers, "webhook-id") ?? ""}/${hash}`,
  };
}

/** Newer deliveries use the same names without the `x-`. Undefined when absent or empty. */
export function shopifyHeader(headers: Headers, name: string): string | undefined {
  return headers.get(`x-shopify-${name}`) || headers.get(`shopify-${name}`) || undefined;
}
