import { fieldOf, isList, isObject, type Json } from "../json-source.ts";
import type { PlatformAdapter } from "../platform.ts";
import { readWooCommerceSettings } from "./settings.ts";
import { translateWoo } from "./translate.ts";
import { describeWoo, isPing, verifyWooSignature } from "./verify.ts";

export const woocommerce: PlatformAdapter = {
  platform: "woocommerce",
  readSettings: readWooCommerceSettings,
  headerPrefixes: ["x-wc-"],
  isPing,
  capabilities: () => [],
  describe: describeWoo,
  verify: verifyWooSignature,
  translate: translateWoo,
  topicOf,
  headersFor: (topic) => ({ "x-wc-webhook-topic": topic }),
};

/** What a resource of the REST API is, by fields that nothing else of it, and nothing of Shopify's, has. */
function topicOf(resource: Json): string | null {
  if (!isObject(resource) || fieldOf(resource, "date_created_gmt") === undefined) return null;
  if (isList(fieldOf(resource, "line_items")) && typeof fieldOf(resource, "status") === "string")
    return "order.updated";
  return typeof fieldOf(resource, "is_paying_customer") === "boolean" ? "customer.updated" : null;
}
