import type { Config } from "../config.ts";

/** What a store sets for a platform's deliveries. */
export interface PlatformSettings {
  /** Any of them signs; none: every delivery is refused. */
  readonly secrets: readonly string[];
  /** The one shop that may deliver; undefined: any that signs rightly. */
  readonly shop: string | undefined;
}

const NONE: PlatformSettings = { secrets: [], shop: undefined };

/** The settings of program.md 8 for a platform. One without settings takes nothing. */
export function platformSettings(config: Pick<Config, "shopify">, platform: string): PlatformSettings {
  if (platform !== "shopify") return NONE;
  return { secrets: config.shopify.webhookSecrets, shop: config.shopify.shopDomain };
}
