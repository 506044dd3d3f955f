import type { Deps } from "../../deps.ts";
import { countChanged, countOf } from "../../platforms/shopify/admin/connection.ts";
import type { ShopifyAdmin } from "../../platforms/shopify/settings.ts";
import type { Resource } from "../platform-port.ts";
import { callAdmin } from "./call-admin.ts";

/** Asks the platform how many resources are still to be read; undefined: it did not report it. */
export async function countHistory(
  deps: Pick<Deps, "log">,
  admin: ShopifyAdmin,
  resource: Resource,
  since: Temporal.Instant,
): Promise<number | undefined> {
  const result = await callAdmin(deps, admin, countChanged(resource, since));
  return result.kind === "data" ? (countOf(result.data, resource) ?? undefined) : undefined;
}
