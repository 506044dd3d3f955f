import { fieldOf, isList, type Json, JsonNumber, type JsonObject } from "../../json-source.ts";
import { textOf } from "./answer.ts";
import { changedSearch, newestChange } from "./changed-resources.ts";
import type { AdminRequest } from "./discount-code.ts";

const PAGE_SIZE = 250;

const LIST = `query listProducts($first: Int!, $query: String, $after: String) {
  products(first: $first, query: $query, after: $after, sortKey: UPDATED_AT) {
    nodes { id handle tags updatedAt }
    pageInfo { hasNextPage endCursor }
  }
}`;

/** Requests a page of the products that changed at or after a moment, oldest change first; `after` null: the first one. */
export function listProducts(since: Temporal.Instant, after: string | null): AdminRequest {
  return { query: LIST, variables: { first: PAGE_SIZE, query: changedSearch(since), after } };
}

/** One page of products, each in the form of a webhook's body. */
interface ProductPage {
  readonly resources: readonly Json[];
  /** The newest change on it; null: it is empty. */
  readonly changedAt: Temporal.Instant | null;
  /** The cursor of the next page; null: it is the last one. */
  readonly next: string | null;
}

/** Reads a page. A string says why it cannot be read. */
export function readProductPage(data: JsonObject): ProductPage | string {
  const page = fieldOf(data, "products");
  const nodes = fieldOf(page, "nodes");
  if (!isList(nodes)) return "the answer has no products";
  const resources: Json[] = [];
  for (const node of nodes) {
    const product = productOf(node);
    if (product === null) return "a product has no id";
    resources.push(product);
  }
  const info = fieldOf(page, "pageInfo");
  const next = fieldOf(info, "hasNextPage") === true ? textOf(fieldOf(info, "endCursor")) : null;
  return { resources, changedAt: newestChange(resources), next };
}

function productOf(node: Json): Json | null {
  const gid = textOf(fieldOf(node, "id"));
  const id = /^gid:\/\/shopify\/Product\/(\d{1,20})$/.exec(gid ?? "")?.[1];
  if (id === undefined || gid === null) return null;
  const tags = fieldOf(node, "tags");
  return {
    id: new JsonNumber(id),
    admin_graphql_api_id: gid,
    handle: fieldOf(node, "handle") ?? null,
    ...(isList(tags) ? { tags } : {}),
    updated_at: fieldOf(node, "updatedAt") ?? null,
  };
}
