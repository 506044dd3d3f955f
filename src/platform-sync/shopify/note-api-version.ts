import type { Deps } from "../../deps.ts";
import { API_VERSION_HEADER, apiVersionOf } from "../../platforms/shopify/admin/api-version.ts";
import type { ShopifyAdmin } from "../../platforms/shopify/settings.ts";
import { ANSWERED_VERSIONS } from "./answered-versions.ts";

/** A version that Shopify no longer supports is logged this often, by the machine's clock. */
const LOGGED_MS = 86_400_000;

/**
 * Notes by which version Shopify answered, and logs a warning once a day if it is not the one of the URL: Shopify answers requests of a version that it no longer
 * supports by the oldest one that it does, which may lack or rename fields.
 */
export function noteApiVersion(
  deps: Pick<Deps, "log">,
  admin: ShopifyAdmin,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): void {
  const version = headers[API_VERSION_HEADER];
  if (typeof version !== "string") return;
  const asked = apiVersionOf(admin.url);
  const last = ANSWERED_VERSIONS.get(admin)?.loggedMs ?? null;
  const isOther = asked !== null && version !== asked;
  const isDue = isOther && (last === null || performance.now() - last >= LOGGED_MS);
  if (isDue)
    deps.log.warn(
      { requested: asked, answered: version },
      "Shopify no longer supports the requested version of its Admin API: it answers by another one",
    );
  ANSWERED_VERSIONS.set(admin, { version, loggedMs: isDue ? performance.now() : last });
}
