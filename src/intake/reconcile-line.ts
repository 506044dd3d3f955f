import { findPlatform, PLATFORMS } from "../platforms/index.ts";
import { fieldOf, formatJson, isObject, type Json, parseJsonSource } from "../platforms/json-source.ts";
import type { PlatformAdapter } from "../platforms/platform.ts";
import { type NewReceipt, newReceipt, translateReceipt } from "./receipt.ts";

/** The content of a line: a receipt to store, nothing relevant, or the reason why it cannot be accepted. */
export type ReconcileReading =
  | { readonly kind: "receipt"; readonly receipt: NewReceipt }
  | { readonly kind: "ignored" }
  | { readonly kind: "fault"; readonly fault: string };

/** Names the source of the body; with the body's hash in the receipt's key, the same line is stored once. */
const DELIVERY_KEY = "reconcile";

/**
 * Reads one line: `{topic, body}` as the platform delivers it (with `platform` if there are several), or a plain order, product or customer
 * of an export, which is recognised by its shape. It uses the same adapter as for deliveries. `currency` is the store's.
 */
export function readReconcileLine(
  bytes: Uint8Array,
  {
    uid,
    receivedAt,
    currency,
  }: { readonly uid: string; readonly receivedAt: Temporal.Instant; readonly currency: string },
): ReconcileReading {
  const json = parseJsonSource(bytes);
  if (!json.ok) return { kind: "fault", fault: json.fault.replace("the body", "the line") };
  const stated = statedBody(json.value) ?? plainResource(json.value);
  if (stated === null) {
    return { kind: "fault", fault: "neither {topic, body} nor an order, a product or a customer" };
  }
  const { platform, topic, body } = stated;
  const source = {
    adapter: platform.platform,
    topic,
    deliveryKey: DELIVERY_KEY,
    headers: platform.headersFor(topic),
    body: new TextEncoder().encode(formatJson(body)),
    receivedAt,
  };
  const translation = translateReceipt(source, currency);
  if (!translation.ok) return { kind: "fault", fault: translation.fault };
  if (translation.events.length === 0) return { kind: "ignored" };
  return { kind: "receipt", receipt: newReceipt(source, uid, translation) };
}

interface StatedBody {
  readonly platform: PlatformAdapter;
  readonly topic: string;
  readonly body: Json;
}

function statedBody(line: Json): StatedBody | null {
  const topic = fieldOf(line, "topic");
  const body = fieldOf(line, "body");
  const name = fieldOf(line, "platform");
  const platform = typeof name === "string" ? findPlatform(name) : PLATFORMS[0];
  if (typeof topic !== "string" || !isObject(body) || platform === undefined) return null;
  return { platform, topic, body };
}

function plainResource(line: Json): StatedBody | null {
  for (const platform of PLATFORMS) {
    const topic = platform.topicOf(line);
    if (topic !== null) return { platform, topic, body: line };
  }
  return null;
}
