import type { Deps } from "../../deps.ts";
import { ANSWERED_VERSIONS } from "../../platform-sync/shopify/answered-versions.ts";
import { callAdmin } from "../../platform-sync/shopify/call-admin.ts";
import { apiVersionOf } from "../../platforms/shopify/admin/api-version.ts";
import { READ_SHOP } from "../../platforms/shopify/admin/metafields.ts";
import type { Finding } from "./check.ts";

/** Calls the store's Admin API, and compares the version of its answer with the requested one; changes nothing. */
export async function checkShopify(deps: Deps): Promise<Finding | null> {
  const { admin } = deps.config.platforms.shopify;
  if (admin === undefined) return null;
  const result = await callAdmin(deps, admin, READ_SHOP);
  const { host } = new URL(admin.url);
  if (result.kind === "throttled")
    return { state: "warn", says: `${host} takes no more requests for now`, todo: "Run pointkeeper doctor again." };
  if (result.kind === "unknown")
    return {
      state: "warn",
      says: `no usable answer from the Admin API of ${host}: ${result.detail}`,
      todo: "Run pointkeeper doctor again; if this stays, check the network and any proxy between here and Shopify.",
    };
  if (result.kind === "refused")
    return {
      state: "fail",
      says: `the Admin API of ${host} cannot be used: ${result.detail}`,
      todo: "Correct SHOPIFY_ADMIN_TOKEN, or SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET, or the way to it (docs/shopify.md).",
    };
  const [asked, version] = [apiVersionOf(admin.url), ANSWERED_VERSIONS.get(admin)?.version ?? null];
  if (asked === null || version === null || asked === version)
    return { state: "ok", says: `the Admin API of ${host} answers${version === null ? "" : ` by version ${version}`}` };
  return {
    state: "warn",
    says: `Shopify no longer supports version ${asked} of its Admin API: it answers by ${version}`,
    todo: "Install a newer release of Pointkeeper; where SHOPIFY_ADMIN_URL is set, correct its version.",
  };
}
