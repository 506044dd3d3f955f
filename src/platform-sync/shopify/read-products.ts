import type { JsonObject } from "../../platforms/json-source.ts";
import { mayReadProducts, readScopes, scopesOf } from "../../platforms/shopify/admin/connection.ts";
import type { AdminRequest } from "../../platforms/shopify/admin/discount-code.ts";
import { listProducts, readProductPage } from "../../platforms/shopify/admin/listed-products.ts";
import type { ShopifyAdmin } from "../../platforms/shopify/settings.ts";
import type { ChangedPage, PortDeps } from "../platform-port.ts";
import { callAdmin } from "./call-admin.ts";

/**
 * Reads the tags of the products that changed at Shopify since a moment, page by page, oldest change first: no body of an order has them. A token without
 * the permission reads none, as `connect` says. Throws where Shopify fails.
 */
export async function* readProducts(
  deps: Pick<PortDeps, "log">,
  admin: ShopifyAdmin,
  { since, signal }: { readonly since: Temporal.Instant; readonly signal: AbortSignal },
): AsyncGenerator<ChangedPage> {
  if (!mayReadProducts(scopesOf(await dataOf(deps, admin, readScopes())))) return;
  for (let after: string | null = null; !signal.aborted; ) {
    const page = readProductPage(await dataOf(deps, admin, listProducts(since, after)));
    if (typeof page === "string") throw new Error(`the platform's products: ${page}`);
    yield page;
    if (page.next === null) return;
    after = page.next;
  }
}

async function dataOf(
  deps: Pick<PortDeps, "log">,
  admin: ShopifyAdmin,
  adminRequest: AdminRequest,
): Promise<JsonObject> {
  const result = await callAdmin(deps, admin, adminRequest);
  if (result.kind === "data") return result.data;
  throw new Error(`the platform's products: ${result.kind === "throttled" ? "throttled" : result.detail}`);
}
