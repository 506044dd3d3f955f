import { createHash } from "node:crypto";
import { beginReading, type JsonReader, readInstant, readObject } from "../json-reader.ts";
import { parseJsonSource } from "../json-source.ts";
import type { NeutralEvent } from "../neutral-events.ts";
import type { Delivery, Translation } from "../platform.ts";
import {
  translateCustomerRedaction,
  translateDataRequest,
  translateShopRedaction,
  translateUninstall,
} from "./compliance.ts";
import {
  translateCustomer,
  translateCustomerDeletion,
  translateCustomerMerge,
  translateEmailConsent,
  translateTags,
} from "./customers.ts";
import { translateCodeRemoval, translateDiscountDeletion, translateDiscountUpdate } from "./discounts.ts";
import type { TopicTranslation } from "./fields.ts";
import { translateFulfillment } from "./fulfillments.ts";
import { translateOrder, translateOrderDeletion, translateOrderEdit } from "./orders.ts";
import { translateProduct } from "./products.ts";
import { translateRefund } from "./refunds.ts";
import { shopifyHeader } from "./verify.ts";

/** Every topic that is relevant to us (platforms.md 1.1); all others translate to nothing. */
export const SHOPIFY_TOPICS: ReadonlyMap<string, TopicTranslation> = new Map([
  ["orders/create", translateOrder],
  ["orders/paid", translateOrder],
  ["orders/updated", translateOrder],
  ["orders/fulfilled", translateOrder],
  ["orders/partially_fulfilled", translateOrder],
  ["orders/cancelled", translateOrder],
  ["orders/edited", translateOrderEdit],
  ["orders/delete", translateOrderDeletion],
  ["fulfillments/create", translateFulfillment],
  ["fulfillments/update", translateFulfillment],
  ["refunds/create", translateRefund],
  ["customers/create", translateCustomer],
  ["customers/update", translateCustomer],
  ["customers/enable", translateCustomer],
  ["customers/disable", translateCustomer],
  ["customers/delete", translateCustomerDeletion],
  ["customers/merge", translateCustomerMerge],
  ["customers_email_marketing_consent/update", translateEmailConsent],
  ["customer.tags_added", translateTags("tagsAdded")],
  ["customer.tags_removed", translateTags("tagsRemoved")],
  ["discounts/delete", translateDiscountDeletion],
  ["discounts/update", translateDiscountUpdate],
  ["discounts/redeemcode_removed", translateCodeRemoval],
  ["products/create", translateProduct],
  ["products/update", translateProduct],
  ["customers/data_request", translateDataRequest],
  ["customers/redact", translateCustomerRedaction],
  ["shop/redact", translateShopRedaction],
  ["app/uninstalled", translateUninstall],
]);

/**
 * Returns the neutral events of a verified delivery (program.md 4, platforms.md 1). Only the body is signed, so the topic only selects the
 * expected form; a body that does not have this form is a fault, for the quarantine. Never throws.
 */
export function translate(delivery: Delivery): Translation {
  const topic = shopifyHeader(delivery.headers, "topic") ?? "";
  const translateTopic = SHOPIFY_TOPICS.get(topic);
  if (translateTopic === undefined) return { ok: true, events: [] };
  const json = parseJsonSource(delivery.rawBody);
  if (!json.ok) return json;
  const body = beginReading(json.value);
  readObject(body);
  const bodyHash = createHash("sha256").update(delivery.rawBody).digest("hex");
  const statements = translateTopic(body, { currency: delivery.currency, bodyHash });
  const [first] = body.faults;
  if (first !== undefined) return { ok: false, fault: `${topic}: ${first.detail}` };
  const events = statements.map((statement) => ({ ...stamp(delivery, topic), ...statement }));
  return { ok: true, events, ...(body.notes.length === 0 ? {} : { warnings: body.notes }) };
}

type Stamp = Pick<NeutralEvent, "platform" | "occurredAt" | "receivedAt" | "sourceTopic" | "sourceApiVersion" | "test">;

/** Returns what every event of a delivery has in common; a statement's own time and test mark take precedence. */
function stamp(delivery: Delivery, topic: string): Stamp {
  const apiVersion = shopifyHeader(delivery.headers, "api-version");
  return {
    platform: "shopify",
    occurredAt: triggeredAt(delivery) ?? delivery.receivedAt,
    receivedAt: delivery.receivedAt,
    sourceTopic: topic,
    ...(apiVersion === undefined ? {} : { sourceApiVersion: apiVersion }),
    test: false,
  };
}

function triggeredAt({ headers }: Delivery): Temporal.Instant | null {
  const header: JsonReader = beginReading(shopifyHeader(headers, "triggered-at") ?? null);
  const instant = readInstant(header);
  return header.faults.length > 0 ? null : instant;
}
