import type { PlatformAdapter } from "../platform.ts";
import { translate } from "./translate.ts";
import { describe, verify } from "./verify.ts";

export const shopify: PlatformAdapter = { platform: "shopify", describe, verify, translate };
