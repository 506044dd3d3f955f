import { ConfigError, type Env, listSetting, textSetting } from "../../environment.ts";
import type { PlatformSettings } from "../platform.ts";

/** The settings of Shopify: docs/operations.md, docs/shopify.md. */
export interface ShopifySettings extends PlatformSettings {
  /** The store's Admin API; undefined: there is no token, and Shopify is never called. */
  readonly admin: ShopifyAdmin | undefined;
}

/** The credentials of an app of the store's own, for which Shopify grants access tokens of a day. */
interface ShopifyClient {
  readonly id: string;
  readonly secret: string;
}

/** How the store's Admin API is called: with a token of an app from before 2026, or with the credentials of a newer one. */
export type ShopifyAdmin = ShopifyApi & ({ readonly token: string } | { readonly client: ShopifyClient });

interface ShopifyApi {
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
  const client = clientSettings(env);
  const named = textSetting(env, "SHOPIFY_ADMIN_URL");
  if (token === undefined && client === undefined) return undefined;
  if (token !== undefined && client !== undefined)
    throw new ConfigError("SHOPIFY_ADMIN_TOKEN and SHOPIFY_CLIENT_ID are both set: expected one of them.");
  if (named === undefined && shop === undefined) {
    const [name, what] =
      token === undefined ? ["SHOPIFY_CLIENT_ID", "they are"] : ["SHOPIFY_ADMIN_TOKEN", "the token is"];
    throw new ConfigError(`SHOPIFY_SHOP_DOMAIN must be set when ${name} is: it says where ${what} used.`);
  }
  const url = named ?? `https://${shop}/admin/api/${API_VERSION}/graphql.json`;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol) || !url.endsWith("/graphql.json")) {
    throw new ConfigError(
      `SHOPIFY_ADMIN_URL must be an http or https address that ends in /graphql.json, not "${url}".`,
    );
  }
  const api = { url, timeoutMs: TIMEOUT_MS };
  if (client !== undefined) return { client, ...api };
  return token === undefined ? undefined : { token, ...api };
}

function clientSettings(env: Env): ShopifyClient | undefined {
  const id = textSetting(env, "SHOPIFY_CLIENT_ID");
  const secret = textSetting(env, "SHOPIFY_CLIENT_SECRET");
  if (id === undefined && secret === undefined) return undefined;
  if (id === undefined || secret === undefined)
    throw new ConfigError("SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET must be set together.");
  return { id, secret };
}
