import { checkSignature, deliveryKey } from "../delivery-signature.ts";
import type { DeliveryHead, Headers } from "../platform.ts";
import { storeOf } from "./settings.ts";

const PING = /^webhook_id=[0-9]{1,20}$/;
const PING_BYTES_MAX = 40;

/** Checks `X-WC-Webhook-Signature` as `checkSignature`. */
export function verifyWooSignature(headers: Headers, rawBody: Uint8Array, secrets: readonly string[]) {
  return checkSignature(wooHeader(headers, "signature"), rawBody, secrets);
}

/** Returns the topic, store and key of a delivery, from its headers. null if it names no topic or no store. */
export function describeWoo(headers: Headers, rawBody: Uint8Array): DeliveryHead | null {
  const topic = wooHeader(headers, "topic");
  const source = wooHeader(headers, "source");
  if (topic === undefined || source === undefined) return null;
  return {
    topic,
    shop: storeOf(source),
    apiVersion: null,
    deliveryKey: deliveryKey(wooHeader(headers, "delivery-id"), topic, rawBody),
  };
}

/** Whether this is the form `webhook_id=<n>` that WooCommerce posts, unsigned, when a webhook is created. */
export function isPing(headers: Headers, rawBody: Uint8Array): boolean {
  const isForm = headers.get("content-type")?.startsWith("application/x-www-form-urlencoded") === true;
  const length = Number(headers.get("content-length") ?? Number.NaN);
  if (!isForm || wooHeader(headers, "signature") !== undefined || !(length <= PING_BYTES_MAX)) return false;
  return rawBody.length === 0 || PING.test(Buffer.from(rawBody).toString("latin1"));
}

/** Returns `X-WC-Webhook-<name>`; undefined if absent or empty. */
export function wooHeader(headers: Headers, name: string): string | undefined {
  return headers.get(`x-wc-webhook-${name}`) || undefined;
}
