import type { PlatformAdapter } from "../platform.ts";
import { headersFor, topicOf } from "./resources.ts";
import { readShopifySettings, type ShopifySettings } from "./settings.ts";
import { translate } from "./translate.ts";
import { describe, verifySignature } from "./verify.ts";

export const shopify: PlatformAdapter<ShopifySettings> = {
  platform: "shopify",
  readSettings: readShopifySettings,
  describe,
  verify: verifySignature,
  translate,
  topicOf,
  headersFor,
};
