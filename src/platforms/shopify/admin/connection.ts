import { fieldOf, isList, type JsonObject } from "../../json-source.ts";
import { numberOf, textOf } from "./answer.ts";
import { changedSearch } from "./changed-resources.ts";
import type { AdminRequest } from "./discount-code.ts";

/** The path below PUBLIC_URL at which deliveries are received. */
export const DELIVERY_PATH = "/intake/shopify/webhooks";

/** A scope of the token and what is missing without it. */
export interface NeededScope {
  /** Any one of these grants it. */
  readonly handles: readonly string[];
  readonly without: string;
  /** Whether nothing can be connected without it. */
  readonly isRequired: boolean;
}

const PRODUCT_SCOPES = ["read_products", "write_products"];

/** The required and the optional permissions of the token. */
const NEEDED_SCOPES: readonly NeededScope[] = [
  { handles: ["read_orders", "write_orders"], without: "no orders and refunds", isRequired: true },
  { handles: ["read_customers", "write_customers"], without: "no customers", isRequired: true },
  { handles: ["write_customers"], without: "no metafields of customers for themes", isRequired: false },
  {
    handles: ["read_customer_merge", "write_customer_merge"],
    without: "the points of merged customers stay apart",
    isRequired: false,
  },
  { handles: ["write_discounts"], without: "no coupon codes", isRequired: false },
  { handles: PRODUCT_SCOPES, without: "no rules by product tags", isRequired: false },
  {
    handles: ["read_fulfillments", "write_fulfillments"],
    without: "shipments come with the order alone",
    isRequired: false,
  },
  { handles: ["read_all_orders"], without: "no orders older than 60 days", isRequired: false },
];

/** The topics to subscribe to. Those about privacy are set in the app's own settings: no API can subscribe to them. */
export const NEEDED_TOPICS: readonly string[] = [
  ...["ORDERS_CREATE", "ORDERS_PAID", "ORDERS_UPDATED", "ORDERS_FULFILLED", "ORDERS_PARTIALLY_FULFILLED"],
  ...["ORDERS_CANCELLED", "ORDERS_EDITED", "ORDERS_DELETE", "FULFILLMENTS_CREATE", "FULFILLMENTS_UPDATE"],
  ...["REFUNDS_CREATE", "CUSTOMERS_CREATE", "CUSTOMERS_UPDATE", "CUSTOMERS_ENABLE", "CUSTOMERS_DISABLE"],
  ...["CUSTOMERS_DELETE", "CUSTOMERS_MERGE", "CUSTOMERS_EMAIL_MARKETING_CONSENT_UPDATE", "CUSTOMER_TAGS_ADDED"],
  ...["CUSTOMER_TAGS_REMOVED", "DISCOUNTS_DELETE", "DISCOUNTS_UPDATE", "DISCOUNTS_REDEEMCODE_REMOVED"],
  ...["PRODUCTS_CREATE", "PRODUCTS_UPDATE", "APP_UNINSTALLED"],
];

/** Birthdays are in this namespace, and are only sent if the subscription requests it. */
const WITH_BIRTHDAYS = ["CUSTOMERS_CREATE", "CUSTOMERS_UPDATE"];
const BIRTHDAYS = "facts";

const SCOPES = `query readScopes {
  currentAppInstallation { accessScopes { handle } }
}`;

/** Requests the token's permissions. */
export function readScopes(): AdminRequest {
  return { query: SCOPES, variables: {} };
}

export function scopesOf(data: JsonObject): string[] {
  const scopes = fieldOf(fieldOf(data, "currentAppInstallation"), "accessScopes");
  return isList(scopes) ? scopes.flatMap((scope) => textOf(fieldOf(scope, "handle")) ?? []) : [];
}

export function missingScopes(granted: readonly string[]): NeededScope[] {
  return NEEDED_SCOPES.filter(({ handles }) => !handles.some((handle) => granted.includes(handle)));
}

export function mayReadProducts(granted: readonly string[]): boolean {
  return PRODUCT_SCOPES.some((handle) => granted.includes(handle));
}

const SHOP = `query readShopSettings {
  shop { currencyCode ianaTimezone myshopifyDomain }
}`;

/** Requests the shop's currency and time zone. */
export function readShopSettings(): AdminRequest {
  return { query: SHOP, variables: {} };
}

export interface ShopSettings {
  readonly currency: string | null;
  readonly timeZone: string | null;
  readonly domain: string | null;
}

export function shopSettingsOf(data: JsonObject): ShopSettings {
  const shop = fieldOf(data, "shop");
  return {
    currency: textOf(fieldOf(shop, "currencyCode")),
    timeZone: textOf(fieldOf(shop, "ianaTimezone")),
    domain: textOf(fieldOf(shop, "myshopifyDomain")),
  };
}

const WEBHOOKS = `query readWebhooks($first: Int!, $after: String) {
  webhookSubscriptions(first: $first, after: $after) {
    nodes { id topic uri format metafieldNamespaces includeFields }
    pageInfo { hasNextPage endCursor }
  }
}`;
const WEBHOOKS_A_PAGE = 100;

/** Requests a page of the app's webhooks; `after` null: the first one. */
export function readWebhooks(after: string | null): AdminRequest {
  return { query: WEBHOOKS, variables: { first: WEBHOOKS_A_PAGE, after } };
}

export interface PlatformWebhook {
  readonly topic: string;
  readonly uri: string;
  readonly format: string;
  readonly namespaces: readonly string[];
  readonly includeFields: readonly string[];
}

/** Returns the webhooks of a page and the cursor of the next one; null: it is the last page. */
export function webhooksOf(data: JsonObject): { webhooks: PlatformWebhook[]; next: string | null } {
  const page = fieldOf(data, "webhookSubscriptions");
  const nodes = fieldOf(page, "nodes");
  const texts = (list: ReturnType<typeof fieldOf>) => (isList(list) ? list.flatMap((text) => textOf(text) ?? []) : []);
  const webhooks = (isList(nodes) ? nodes : []).map((node) => ({
    topic: textOf(fieldOf(node, "topic")) ?? "",
    uri: textOf(fieldOf(node, "uri")) ?? "",
    format: textOf(fieldOf(node, "format")) ?? "JSON",
    namespaces: texts(fieldOf(node, "metafieldNamespaces")),
    includeFields: texts(fieldOf(node, "includeFields")),
  }));
  const info = fieldOf(page, "pageInfo");
  return { webhooks, next: fieldOf(info, "hasNextPage") === true ? textOf(fieldOf(info, "endCursor")) : null };
}

/** What has to be done about the existing webhooks. */
interface WebhookPlan {
  /** Topics to add. */
  readonly missing: readonly string[];
  /** Sentences about webhooks that a person has to check. */
  readonly wrong: readonly string[];
}

/** Compares the existing webhooks with those that are needed at a URL. */
export function planWebhooks(there: readonly PlatformWebhook[], uri: string): WebhookPlan {
  const ours = there.filter((webhook) => webhook.uri === uri);
  const wrong = there.flatMap((webhook) => {
    if (!NEEDED_TOPICS.includes(webhook.topic)) return [];
    if (webhook.uri !== uri) return [`${webhook.topic} also goes to ${webhook.uri}`];
    if (webhook.format !== "JSON") return [`${webhook.topic} is sent as ${webhook.format}: expected JSON`];
    if (webhook.includeFields.length > 0) return [`${webhook.topic} leaves fields out: expected all of them`];
    const lacksBirthdays = WITH_BIRTHDAYS.includes(webhook.topic) && !webhook.namespaces.includes(BIRTHDAYS);
    return lacksBirthdays ? [`${webhook.topic} has no birthdays: expected the metafield namespace ${BIRTHDAYS}`] : [];
  });
  return { missing: NEEDED_TOPICS.filter((topic) => !ours.some((webhook) => webhook.topic === topic)), wrong };
}

const CREATE = `mutation addWebhook($topic: WebhookSubscriptionTopic!, $webhookSubscription: WebhookSubscriptionInput!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: $webhookSubscription) {
    webhookSubscription { id }
    userErrors { field message }
  }
}`;

/** Adds a webhook for a topic and a URL. */
export function addWebhook(topic: string, uri: string): AdminRequest {
  const namespaces = WITH_BIRTHDAYS.includes(topic) ? { metafieldNamespaces: [BIRTHDAYS] } : {};
  return { query: CREATE, variables: { topic, webhookSubscription: { uri, format: "JSON", ...namespaces } } };
}

const COUNTS = {
  customers: `query countCustomers($query: String, $limit: Int) {
  customersCount(query: $query, limit: $limit) { count }
}`,
  products: `query countProducts($query: String, $limit: Int) {
  productsCount(query: $query, limit: $limit) { count }
}`,
  orders: `query countOrders($query: String, $limit: Int) {
  ordersCount(query: $query, limit: $limit) { count }
}`,
} as const;

/** Requests how many customers, products or orders changed since a moment. */
export function countChanged(resource: keyof typeof COUNTS, since: Temporal.Instant): AdminRequest {
  return { query: COUNTS[resource], variables: { query: changedSearch(since), limit: null } }; // null: not only up to 10,000
}

/** Returns the count; null: the platform did not state it. */
export function countOf(data: JsonObject, resource: keyof typeof COUNTS): number | null {
  return numberOf(fieldOf(fieldOf(data, `${resource}Count`), "count"));
}
