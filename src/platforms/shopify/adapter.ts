import type { PlatformAdapter } from "../platform.ts";
import { headersFor, topicOf } from "./resources.ts";
import { translate } from "./translate.ts";
import { describe, verify } from "./verify.ts";

export const shopify: PlatformAdapter = { platform: "shopify", describe, verify, translate, topicOf, headersFor };
