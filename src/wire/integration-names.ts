import type { Language } from "./language.ts";

/** What the dashboard calls the senders of order events, by `app_reference`; another one is shown as it is. */
export const INTEGRATION_NAMES = {
  en: { manual_integration: "your scripts", shopify_integration: "Shopify", woocommerce_integration: "WooCommerce" },
  ja: { manual_integration: "スクリプト", shopify_integration: "Shopify", woocommerce_integration: "WooCommerce" },
} as const satisfies Record<Language, Record<`${string}_integration`, string>>;
