import { fieldOf, type JsonObject } from "../../platforms/json-source.ts";
import { userErrorsOf } from "../../platforms/shopify/admin/answer.ts";
import {
  addWebhook,
  DELIVERY_PATH,
  missingScopes,
  type PlatformWebhook,
  planWebhooks,
  readScopes,
  readShopSettings,
  readWebhooks,
  scopesOf,
  shopSettingsOf,
  webhooksOf,
} from "../../platforms/shopify/admin/connection.ts";
import type { AdminRequest } from "../../platforms/shopify/admin/discount-code.ts";
import type { ShopifyAdmin } from "../../platforms/shopify/settings.ts";
import { ConnectError } from "../connect-error.ts";
import type { ConnectionPort, PortDeps } from "../platform-port.ts";
import { callAdmin } from "./call-admin.ts";

type AdminDeps = Pick<PortDeps, "log">;

const WEBHOOK_PAGES_MAX = 50;

/** How a store is connected to Shopify: the scopes of its token, its settings and the webhooks of the app. */
export function connectShopify(deps: AdminDeps, admin: ShopifyAdmin): ConnectionPort {
  return {
    deliveryPath: DELIVERY_PATH,
    remarks: [
      "The topics about privacy (customers/data_request, customers/redact, shop/redact) are set in the app's own settings.",
    ],
    missingAccess: async () => {
      const missing = missingScopes(scopesOf(await readAdmin(deps, admin, readScopes())));
      const required = missing.filter((scope) => scope.isRequired);
      if (required.length === 0) return missing.map(({ handles, without }) => ({ scope: handles[0] ?? "", without }));
      const names = required.map(({ handles }) => handles[0]).join(", ");
      throw new ConnectError(
        `The token lacks ${names}: add the scope to the app and install it again. Nothing was done.`,
      );
    },
    storeSettings: async () => shopSettingsOf(await readAdmin(deps, admin, readShopSettings())),
    planWebhooks: async (url) => planWebhooks(await listWebhooks(deps, admin), url),
    addWebhook: (topic, url) => add(deps, admin, topic, url),
  };
}

async function readAdmin(deps: AdminDeps, admin: ShopifyAdmin, request: AdminRequest): Promise<JsonObject> {
  const result = await callAdmin(deps, admin, request);
  if (result.kind === "data") return result.data;
  const why = result.kind === "throttled" ? "its rate limit is used up" : result.detail;
  throw new ConnectError(
    `The platform did not answer ${admin.url} as expected: ${why}. Check SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET, or SHOPIFY_ADMIN_TOKEN.`,
  );
}

async function listWebhooks(deps: AdminDeps, admin: ShopifyAdmin): Promise<PlatformWebhook[]> {
  const all: PlatformWebhook[] = [];
  let after: string | null = null;
  for (let page = 0; page < WEBHOOK_PAGES_MAX; page++) {
    const { webhooks, next }: ReturnType<typeof webhooksOf> = webhooksOf(
      await readAdmin(deps, admin, readWebhooks(after)),
    );
    all.push(...webhooks);
    if (next === null) return all;
    after = next;
  }
  throw new ConnectError("The platform has more webhooks of this app than were expected. Nothing was done.");
}

/** Returns why a webhook was not added; null: it was. */
async function add(deps: AdminDeps, admin: ShopifyAdmin, topic: string, url: string): Promise<string | null> {
  const result = await callAdmin(deps, admin, addWebhook(topic, url));
  if (result.kind !== "data") return result.kind === "throttled" ? "the rate limit is used up" : result.detail;
  const [error] = userErrorsOf(fieldOf(result.data, "webhookSubscriptionCreate"));
  return error?.message ?? null;
}
