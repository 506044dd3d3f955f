import { ConfigError, type Env, listSetting, textSetting } from "../../environment.ts";
import type { PlatformSettings } from "../platform.ts";

/** The settings of Shopify: docs/operations.md, docs/shopify.md. */
export interface ShopifySettings extends PlatformSettings {
  /** The store's Admin API; undefined: there is no token, and Shopify is never called. */
  readonly admin: ShopifyAdmin | undefined;
}

/** How the store's Admin API is called. */
export interface ShopifyAdmin {
  readonly token: string;
  /** The URL for GraphQL: `https://<shop>/admin/api/<version>/graphql.json`. */
  readonly url: string;
  /** A request is ended after this time, by the machine's clock; its effect is then unknown. */
  readonly timeoutMs: number;
}

const API_VERSION = "2026-04";
const TIMEOUT_MS = 10_000;

export function readShopifySettings(env: Env): ShopifySettings {
  const shop = textSetting(env, "SHOPIFY_SHOP_DOMAIN")?.toLowerCase();
  return { shop, secrets: listSetting(env, "SHOPIFY_WEBHOOK_SECRETS"), admin: adminSettings(env, shop) };
}

function adminSettings(env: Env, shop: string | undefined): ShopifyAdmin | undefined {
  const token = textSetting(env, "SHOPIFY_ADMIN_TOKEN");
  const named = textSetting(env, "SHOPIFY_ADMIN_URL");
  if (token === undefined) return undefined;
  if (named === undefined && shop === undefined) {
    throw new ConfigError(
      "SHOPIFY_SHOP_DOMAIN must be set when SHOPIFY_ADMIN_TOKEN is: it says where the token is used.",
    );
  }
  const url = named ?? `https://${shop}/admin/api/${API_VERSION}/graphql.json`;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol) || !url.endsWith("/graphql.json")) {
    throw new ConfigError(
      `SHOPIFY_ADMIN_URL must be an http or https address that ends in /graphql.json, not "${url}".`,
    );
  }
  return { token, url, timeoutMs: TIMEOUT_MS };
}
