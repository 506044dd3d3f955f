import { type BulkShelf, emptyBulk, readBulk, runBulk } from "./shopify-admin-bulk.ts";
import type { RestShelf } from "./shopify-admin-rest.ts";

export interface Discount {
  readonly ref: string;
  readonly code: string;
  readonly title: string;
  readonly input: Readonly<Record<string, unknown>>;
  usageCount: number;
}

/** The data of a store at the platform. */
export interface AdminStore {
  /** By gid. */
  readonly discounts: Map<string, Discount>;
  /** Values of the metafield that themes read, by owner. */
  readonly metafields: Map<string, string>;
  /** The triggers that workflows received. */
  readonly triggers: { readonly handle: string; readonly payload: Record<string, unknown> }[];
  /** The data that REST lists. */
  readonly shelf: RestShelf;
  readonly bulk: BulkShelf;
  /** The products that GraphQL lists. */
  readonly products: ListedProduct[];
  /** Products that the store does not have. */
  readonly unknownProducts: Set<string>;
  /** Owners of metafields that the store does not have. */
  readonly unknownOwners: Set<string>;
  /** The permissions of the token. */
  readonly scopes: string[];
  readonly webhooks: StoredWebhook[];
  /** Topics that the token may not subscribe to. */
  readonly deniedTopics: Set<string>;
  settings: { readonly currencyCode: string; readonly ianaTimezone: string };
}

interface ListedProduct {
  /** Digits. */
  readonly id: string;
  readonly tags: readonly string[];
  /** In UTC, to the second. */
  readonly updatedAt: string;
}

export interface StoredWebhook {
  readonly topic: string;
  readonly uri: string;
  readonly format: string;
  readonly metafieldNamespaces: readonly string[];
  readonly includeFields: readonly string[];
}

/** A request: its root field, and variables that match their types. */
export interface Call {
  readonly operation: string;
  readonly variables: Record<string, unknown>;
}

interface MetafieldInput {
  readonly ownerId: string;
  readonly namespace: string;
  readonly key: string;
  readonly value: string;
}

export function emptyStore(): AdminStore {
  return {
    discounts: new Map(),
    metafields: new Map(),
    triggers: [],
    shelf: { customers: [], orders: [], pageSize: 250 },
    bulk: emptyBulk(),
    products: [],
    unknownProducts: new Set(),
    unknownOwners: new Set(),
    scopes: [
      "write_discounts",
      "read_orders",
      "write_customers",
      "read_customer_merge",
      "read_products",
      "read_fulfillments",
      "read_all_orders",
    ],
    webhooks: [],
    deniedTopics: new Set(),
    settings: { currencyCode: "JPY", ianaTimezone: "Asia/Tokyo" },
  };
}

/** Executes a request and returns the root field's value. */
export function runCall(store: AdminStore, { operation, variables }: Call): unknown {
  switch (operation) {
    case "discountCodeBasicCreate":
      return create(store, variables["basicCodeDiscount"] as Record<string, unknown>); // cast: checked by its type
    case "discountCodeDelete": {
      const isDeleted = store.discounts.delete(String(variables["id"]));
      const userErrors = isDeleted ? [] : [{ field: ["id"], message: "Discount does not exist.", code: "INVALID" }];
      return { deletedCodeDiscountId: isDeleted ? variables["id"] : null, userErrors };
    }
    case "codeDiscountNodeByCode":
      return node([...store.discounts.values()].find(({ code }) => code === variables["code"]));
    case "codeDiscountNode":
      return node(store.discounts.get(String(variables["id"])));
    case "metafieldsSet":
      return setMetafields(store, variables["metafields"] as MetafieldInput[]); // cast: checked by its type
    case "flowTriggerReceive":
      store.triggers.push(variables as (typeof store.triggers)[number]); // cast: checked by its type
      return { userErrors: [] };
    case "currentAppInstallation":
      return { accessScopes: store.scopes.map((handle) => ({ handle })) };
    case "webhookSubscriptions":
      return webhookPage(store, variables);
    case "webhookSubscriptionCreate":
      return addWebhook(store, variables);
    case "bulkOperationRunQuery":
      return runBulk(store.bulk, store.shelf.customers, String(variables["query"]));
    case "node":
      return readBulk(store.bulk, String(variables["id"]));
    case "customersCount":
      return { count: store.shelf.customers.length };
    case "products":
      return productPage(store, variables);
    case "productsCount":
      return { count: store.products.length };
    case "ordersCount":
      return { count: store.shelf.orders.length };
    default:
      return { id: "gid://shopify/Shop/1", myshopifyDomain: "teashop.myshopify.com", ...store.settings };
  }
}

function webhookPage({ webhooks }: AdminStore, { first, after }: Call["variables"]) {
  const from = after === null || after === undefined ? 0 : Number(after);
  const to = Math.min(from + Number(first), from + PAGE_MAX);
  const nodes = webhooks
    .slice(from, to)
    .map((webhook, i) => ({ id: `gid://shopify/WebhookSubscription/${from + i}`, ...webhook }));
  return { nodes, pageInfo: { hasNextPage: to < webhooks.length, endCursor: String(to) } };
}

function productPage({ products }: AdminStore, { first, query, after }: Call["variables"]) {
  const since = /^updated_at:>='([^']+)'$/.exec(String(query))?.[1] ?? "";
  const all = products
    .filter(({ updatedAt }) => updatedAt >= since)
    .toSorted((a, b) => (a.updatedAt === b.updatedAt ? 0 : a.updatedAt < b.updatedAt ? -1 : 1));
  const from = after === null ? 0 : Number(after);
  if (from >= CURSOR_MAX) return null;
  const to = Math.min(from + Number(first), from + PAGE_MAX);
  const nodes = all
    .slice(from, to)
    .map(({ id, ...product }) => ({ id: `gid://shopify/Product/${id}`, handle: `product-${id}`, ...product }));
  return { nodes, pageInfo: { hasNextPage: to < all.length, endCursor: String(to) } };
}

/** Small, so that a list has several pages. */
const PAGE_MAX = 10;
/** A cursor leads no further: at the platform, 100 pages of 250. */
const CURSOR_MAX = 100 * PAGE_MAX;

function addWebhook(store: AdminStore, { topic, webhookSubscription }: Call["variables"]) {
  const input = webhookSubscription as Partial<StoredWebhook>; // cast: checked by its type
  const { uri = "", format = "JSON", metafieldNamespaces = [], includeFields = [] } = input;
  const isThere = store.webhooks.some((webhook) => webhook.topic === topic && webhook.uri === uri);
  const message = isThere ? "Address for this topic has already been taken" : "The app is not approved for this topic";
  if (isThere || store.deniedTopics.has(String(topic)))
    return { webhookSubscription: null, userErrors: [{ field: ["webhookSubscription", "uri"], message }] };
  store.webhooks.push({ topic: String(topic), uri, format, metafieldNamespaces, includeFields });
  return { webhookSubscription: { id: `gid://shopify/WebhookSubscription/${store.webhooks.length}` }, userErrors: [] };
}

function create(store: AdminStore, input: Record<string, unknown>) {
  const code = String(input["code"]);
  const isTaken = [...store.discounts.values()].some((discount) => discount.code === code);
  const products = JSON.stringify(input).match(/gid:\/\/shopify\/Product\/\d+/g) ?? [];
  const missing = products.filter((gid) => store.unknownProducts.has(gid));
  const field = ["basicCodeDiscount", "customerGets", "items", "products", "productsToAdd"];
  const userErrors = missing.map((gid) => ({
    field,
    message: `Product with id: ${gid.slice(22)} is invalid`,
    code: "INVALID",
  }));
  if (isTaken) {
    const message = "Code must be unique. Please try a different code.";
    userErrors.push({ field: ["basicCodeDiscount", "code"], message, code: "TAKEN" });
  }
  if (userErrors.length > 0) return { codeDiscountNode: null, userErrors };
  made += 1;
  const ref = `gid://shopify/DiscountCodeNode/${made}`;
  store.discounts.set(ref, { ref, code, title: String(input["title"]), input, usageCount: 0 });
  return { codeDiscountNode: { id: ref }, userErrors: [] };
}

let made = 1_000;

function node(discount: Discount | undefined) {
  if (discount === undefined) return null;
  const { ref, title, usageCount } = discount;
  return { id: ref, codeDiscount: { __typename: "DiscountCodeBasic", title, asyncUsageCount: usageCount } };
}

function setMetafields(store: AdminStore, inputs: readonly MetafieldInput[]) {
  const userErrors = inputs.flatMap(({ ownerId }, i) =>
    store.unknownOwners.has(ownerId)
      ? [{ field: ["metafields", String(i), "ownerId"], message: "Owner does not exist.", code: "INVALID" }]
      : [],
  );
  if (inputs.length > 25) {
    const message = "Exceeded the maximum metafields input limit of 25.";
    userErrors.push({ field: ["metafields"], message, code: "LESS_THAN_OR_EQUAL_TO" });
  }
  if (userErrors.length > 0) return { metafields: [], userErrors };
  for (const { ownerId, namespace, key, value } of inputs) {
    if (`${namespace}/${key}` === "loyalty/easy_points_attributes") store.metafields.set(ownerId, value);
  }
  return { metafields: inputs.map((_, i) => ({ id: `gid://shopify/Metafield/${i}` })), userErrors: [] };
}
