import { fieldOf, isList, type Json } from "../../json-source.ts";
import { isCurrencyCode } from "../../money.ts";
import type { WooRequest } from "./answer.ts";

/** The path below PUBLIC_URL at which deliveries are received. */
export const WOO_DELIVERY_PATH = "/intake/woocommerce/webhooks";

/** The topics of webhooks to add. Deletions of orders and products change nothing, and their bodies look like those of customers. */
export const WOO_NEEDED_TOPICS: readonly string[] = [
  ...["order.created", "order.updated", "order.restored", "customer.created", "customer.updated", "customer.deleted"],
  ...["product.created", "product.updated", "product.restored"],
];

/** Reads the index of the API, which needs no permission: what the store is, and its time zone. */
export const READ_INDEX: WooRequest = { method: "GET", path: "/" };

export const READ_CURRENCY: WooRequest = { method: "GET", path: "/wc/v3/data/currencies/current" };

/** Whether WooCommerce's API exists; an index that lists no namespaces leaves it open. */
export function hasWooApi(index: Json): boolean {
  const namespaces = fieldOf(index, "namespaces");
  return !isList(namespaces) || namespaces.includes("wc/v3");
}

/** Returns the time zone; null: the store has an offset instead. */
export function timeZoneOf(index: Json): string | null {
  const zone = fieldOf(index, "timezone_string");
  return typeof zone === "string" && zone !== "" ? zone : null;
}

export function currencyOf(data: Json): string | null {
  const code = fieldOf(data, "code");
  return typeof code === "string" && isCurrencyCode(code) ? code : null;
}

/** A request that writes nothing, but for which a key needs the permission to write. */
export const TRY_WRITING: WooRequest = { method: "POST", path: "/wc/v3/coupons/batch", body: {} };

/** A request that the reading of history needs. */
export const TRY_READING: WooRequest = { method: "GET", path: "/wc/v3/orders?per_page=1" };

export function webhooksRequest(page: number): WooRequest {
  return { method: "GET", path: `/wc/v3/webhooks?${new URLSearchParams({ per_page: "100", page: String(page) })}` };
}

export interface WooWebhook {
  readonly topic: string;
  readonly url: string;
  readonly status: string;
}

export function webhooksOfWoo(data: Json): WooWebhook[] {
  const text = (value: Json | undefined) => (typeof value === "string" ? value : "");
  return (isList(data) ? data : []).map((webhook) => ({
    topic: text(fieldOf(webhook, "topic")),
    url: text(fieldOf(webhook, "delivery_url")),
    status: text(fieldOf(webhook, "status")),
  }));
}

/** Compares the existing webhooks with those that are needed at a URL. */
export function planWooWebhooks(there: readonly WooWebhook[], url: string) {
  const wrong = there.flatMap((webhook) => {
    if (!WOO_NEEDED_TOPICS.includes(webhook.topic)) return [];
    if (webhook.url !== url) return [];
    return webhook.status === "active" ? [] : [`${webhook.topic} is ${webhook.status}: set it to active in the store`];
  });
  const ours = there.filter((webhook) => webhook.url === url);
  return { missing: WOO_NEEDED_TOPICS.filter((topic) => !ours.some((webhook) => webhook.topic === topic)), wrong };
}

/** Adds a webhook, signed with a secret. WooCommerce sends its ping at once. */
export function addWooWebhook(topic: string, url: string, secret: string): WooRequest {
  const body = { name: `Pointkeeper: ${topic}`, topic, delivery_url: url, secret, status: "active" };
  return { method: "POST", path: "/wc/v3/webhooks", body };
}
