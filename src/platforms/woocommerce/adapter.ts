import { fieldOf, isList, isObject, type Json } from "../json-source.ts";
import type { PlatformAdapter } from "../platform.ts";
import { readWooCommerceSettings, type WooCommerceSettings } from "./settings.ts";
import { translateWoo } from "./translate.ts";
import { describeWoo, isPing, verifyWooSignature } from "./verify.ts";

export const woocommerce: PlatformAdapter<WooCommerceSettings> = {
  platform: "woocommerce",
  readSettings: readWooCommerceSettings,
  headerPrefixes: ["x-wc-"],
  isPing,
  capabilities: ({ rest }) => (rest === undefined ? [] : ["coupon-codes", "reconcile"]),
  describe: describeWoo,
  verify: verifyWooSignature,
  translate: translateWoo,
  topicOf,
  headersFor: (topic) => ({ "x-wc-webhook-topic": topic }),
};

/** Returns the topic of a resource of the REST API, recognised by fields that no other resource, and none of Shopify's, has. */
function topicOf(resource: Json): string | null {
  if (!isObject(resource) || fieldOf(resource, "date_created_gmt") === undefined) return null;
  if (isList(fieldOf(resource, "line_items")) && typeof fieldOf(resource, "status") === "string")
    return "order.updated";
  if (isList(fieldOf(resource, "categories")) && fieldOf(resource, "permalink") !== undefined) return "product.updated";
  return typeof fieldOf(resource, "is_paying_customer") === "boolean" ? "customer.updated" : null;
}
