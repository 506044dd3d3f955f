import type { Deps } from "../../deps.ts";
import {
  countChanged,
  countOf,
  mayReadProducts,
  readScopes,
  scopesOf,
} from "../../platforms/shopify/admin/connection.ts";
import type { ShopifyAdmin } from "../../platforms/shopify/settings.ts";
import type { Resource } from "../platform-port.ts";
import { callAdmin } from "./call-admin.ts";

/** Asks the platform how many resources are still to be read, none where the token may not read them; undefined: it did not report it. */
export async function countHistory(
  deps: Pick<Deps, "log">,
  admin: ShopifyAdmin,
  resource: Resource,
  since: Temporal.Instant,
): Promise<number | undefined> {
  if (resource === "products") {
    const scopes = await callAdmin(deps, admin, readScopes());
    if (scopes.kind === "data" && !mayReadProducts(scopesOf(scopes.data))) return 0;
  }
  const result = await callAdmin(deps, admin, countChanged(resource, since));
  return result.kind === "data" ? (countOf(result.data, resource) ?? undefined) : undefined;
}
