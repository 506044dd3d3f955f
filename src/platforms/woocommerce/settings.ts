import { ConfigError, type Env, listSetting, textSetting } from "../../environment.ts";
import type { PlatformSettings } from "../platform.ts";

/** The settings of WooCommerce: docs/woocommerce.md. */
export interface WooCommerceSettings extends PlatformSettings {
  /** The store's REST API; undefined: there is no key, and the store is never called. */
  readonly rest: WooCommerceRest | undefined;
}

/** How the store's REST API is called. */
export interface WooCommerceRest {
  /** The address of the store, without a slash at its end. */
  readonly url: string;
  readonly key: string;
  readonly secret: string;
  /** A request is ended after this time, by the machine's clock; its effect is then unknown. */
  readonly timeoutMs: number;
}

const TIMEOUT_MS = 30_000;

/** Reads the environment variables WOOCOMMERCE_*. Throws `ConfigError`. */
export function readWooCommerceSettings(env: Env): WooCommerceSettings {
  const url = textSetting(env, "WOOCOMMERCE_STORE_URL");
  if (url !== undefined && (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))) {
    throw new ConfigError(`WOOCOMMERCE_STORE_URL must be an http or https address, not "${url}".`);
  }
  return {
    shop: url === undefined ? undefined : storeOf(url),
    secrets: listSetting(env, "WOOCOMMERCE_WEBHOOK_SECRETS"),
    rest: restSettings(env, url),
  };
}

function restSettings(env: Env, url: string | undefined): WooCommerceRest | undefined {
  const key = textSetting(env, "WOOCOMMERCE_CONSUMER_KEY");
  const secret = textSetting(env, "WOOCOMMERCE_CONSUMER_SECRET");
  if (key === undefined && secret === undefined) return undefined;
  if (key === undefined || secret === undefined)
    throw new ConfigError("WOOCOMMERCE_CONSUMER_KEY and WOOCOMMERCE_CONSUMER_SECRET must be set together.");
  if (url === undefined)
    throw new ConfigError(
      "WOOCOMMERCE_STORE_URL must be set when WOOCOMMERCE_CONSUMER_KEY is: it says where the key is used.",
    );
  return { url: url.replace(/\/+$/, ""), key, secret, timeoutMs: TIMEOUT_MS };
}

/** Returns a store's address in the form in which it is compared: "HTTPS://Tea.example/shop/" is "tea.example/shop". */
export function storeOf(address: string): string {
  return address
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\/+$/, "");
}
