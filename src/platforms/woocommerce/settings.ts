import { ConfigError, type Env, listSetting, textSetting } from "../../environment.ts";
import type { PlatformSettings } from "../platform.ts";

/** Reads WOOCOMMERCE_STORE_URL and WOOCOMMERCE_WEBHOOK_SECRETS (docs/woocommerce.md). Throws `ConfigError`. */
export function readWooCommerceSettings(env: Env): PlatformSettings {
  const url = textSetting(env, "WOOCOMMERCE_STORE_URL");
  if (url !== undefined && (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))) {
    throw new ConfigError(`WOOCOMMERCE_STORE_URL must be an http or https address, not "${url}".`);
  }
  return {
    shop: url === undefined ? undefined : storeOf(url),
    secrets: listSetting(env, "WOOCOMMERCE_WEBHOOK_SECRETS"),
  };
}

/** Returns a store's address as it is compared: "HTTPS://Tea.example/shop/" is "tea.example/shop". */
export function storeOf(address: string): string {
  return address
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\/+$/, "");
}
