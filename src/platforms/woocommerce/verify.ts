import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { DeliveryHead, Headers } from "../platform.ts";
import { storeOf } from "./settings.ts";

const PING = /^webhook_id=[0-9]{1,20}$/;
const PING_BYTES_MAX = 40;

/** Checks base64(HMAC-SHA256(secret, raw body)) against each secret in constant time. An empty secret is none. */
export function verifyWooSignature(
  headers: Headers,
  rawBody: Uint8Array,
  secrets: readonly string[],
): "ok" | "bad_signature" | "missing_header" {
  const given = wooHeader(headers, "signature");
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

/** Topic, store and key of a delivery, from its headers. Null when it names no topic or no store. */
export function describeWoo(headers: Headers, rawBody: Uint8Array): DeliveryHead | null {
  const topic = wooHeader(headers, "topic");
  const source = wooHeader(headers, "source");
  if (topic === undefined || source === undefined) return null;
  const hash = createHash("sha256").update(`${topic}\n`).update(rawBody).digest("hex");
  return {
    topic,
    shop: storeOf(source),
    apiVersion: null,
    deliveryKey: `${wooHeader(headers, "delivery-id") ?? ""}/${hash}`,
  };
}

/** Whether this is the form `webhook_id=<n>` that WooCommerce posts, unsigned, when a webhook is created. */
export function isPing(headers: Headers, rawBody: Uint8Array): boolean {
  const isForm = headers.get("content-type")?.startsWith("application/x-www-form-urlencoded") === true;
  const length = Number(headers.get("content-length") ?? Number.NaN);
  if (!isForm || wooHeader(headers, "signature") !== undefined || !(length <= PING_BYTES_MAX)) return false;
  return rawBody.length === 0 || PING.test(Buffer.from(rawBody).toString("latin1"));
}

/** Returns `X-WC-Webhook-<name>`; undefined when absent or empty. */
export function wooHeader(headers: Headers, name: string): string | undefined {
  return headers.get(`x-wc-webhook-${name}`) || undefined;
}
