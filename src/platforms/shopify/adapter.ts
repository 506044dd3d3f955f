import { fieldOf, isList, isObject, type Json } from "../json-source.ts";
import type { PlatformAdapter } from "../platform.ts";
import { readShopifySettings, type ShopifySettings } from "./settings.ts";
import { translate } from "./translate.ts";
import { describe, verifySignature } from "./verify.ts";

export const shopify: PlatformAdapter<ShopifySettings> = {
  platform: "shopify",
  readSettings: readShopifySettings,
  capabilities: ({ admin }) => (admin === undefined ? [] : ["coupon-codes", "reconcile"]),
  describe,
  verify: verifySignature,
  translate,
  topicOf,
  headersFor,
};

/**
 * Returns the topic of a plain resource of the Admin REST API, recognised by its shape: an order has lines and a financial status, a
 * customer a state of the account, a product the gid of one. The topic says "updated": its body contains the complete state, whatever happened.
 */
function topicOf(resource: Json): string | null {
  if (!isObject(resource) || fieldOf(resource, "id") === undefined) return null;
  const isOrder = isList(fieldOf(resource, "line_items")) && fieldOf(resource, "financial_status") !== undefined;
  if (isOrder) return "orders/updated";
  const isCustomer = typeof fieldOf(resource, "state") === "string" && fieldOf(resource, "line_items") === undefined;
  if (isCustomer) return "customers/update";
  const gid = fieldOf(resource, "admin_graphql_api_id");
  return typeof gid === "string" && gid.startsWith("gid://shopify/Product/") ? "products/update" : null;
}

/** Returns the header by which a delivery names its topic. */
function headersFor(topic: string): Readonly<Record<string, string>> {
  return { "x-shopify-topic": topic };
}
