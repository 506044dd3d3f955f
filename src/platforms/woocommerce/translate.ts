import { createHash } from "node:crypto";
import { beginReading, readObject } from "../json-reader.ts";
import { parseJsonSource } from "../json-source.ts";
import type { Delivery, Translation } from "../platform.ts";
import { translateWooCustomer, translateWooCustomerDeletion } from "./customers.ts";
import type { WooTranslation } from "./fields.ts";
import { translateWooOrder, translateWooOrderDeletion } from "./orders.ts";
import { translateWooProduct } from "./products.ts";
import { wooHeader } from "./verify.ts";

/** Every topic that is relevant to us; all others translate to nothing. */
export const WOOCOMMERCE_TOPICS: ReadonlyMap<string, WooTranslation> = new Map([
  ["order.created", translateWooOrder],
  ["order.updated", translateWooOrder],
  ["order.restored", translateWooOrder],
  ["order.deleted", translateWooOrderDeletion],
  ["customer.created", translateWooCustomer],
  ["customer.updated", translateWooCustomer],
  ["customer.deleted", translateWooCustomerDeletion],
  ["product.created", translateWooProduct],
  ["product.updated", translateWooProduct],
  ["product.restored", translateWooProduct],
]);

/** Returns the neutral events of a verified delivery, or why its body does not fit the topic. Never throws. */
export function translateWoo(delivery: Delivery): Translation {
  const topic = wooHeader(delivery.headers, "topic") ?? "";
  const translateTopic = WOOCOMMERCE_TOPICS.get(topic);
  if (translateTopic === undefined) return { ok: true, events: [] };
  const json = parseJsonSource(delivery.rawBody);
  if (!json.ok) return json;
  const body = beginReading(json.value);
  readObject(body);
  const { receivedAt } = delivery;
  const bodyHash = createHash("sha256").update(delivery.rawBody).digest("hex");
  const statements = translateTopic(body, { bodyHash, receivedAt });
  const [first] = body.faults;
  if (first !== undefined) return { ok: false, fault: `${topic}: ${first.detail}` };
  const stamp = { platform: "woocommerce", occurredAt: receivedAt, receivedAt, sourceTopic: topic, test: false };
  const events = statements.map((statement) => ({ ...stamp, ...statement }));
  return { ok: true, events, ...(body.notes.length === 0 ? {} : { warnings: body.notes }) };
}
