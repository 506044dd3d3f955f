import type { Json } from "../../platforms/json-source.ts";
import type { WooRequest } from "../../platforms/woocommerce/rest/answer.ts";
import {
  addWooWebhook,
  currencyOf,
  hasWooApi,
  planWooWebhooks,
  READ_CURRENCY,
  READ_INDEX,
  TRY_READING,
  TRY_WRITING,
  timeZoneOf,
  WOO_DELIVERY_PATH,
  type WooWebhook,
  webhooksOfWoo,
  webhooksRequest,
} from "../../platforms/woocommerce/rest/connection.ts";
import { ConnectError } from "../connect-error.ts";
import type { ConnectionPort, PortDeps } from "../platform-port.ts";
import { callStore, type WooStore } from "./call-store.ts";

const PATIENCE_MS = 30_000;
const WEBHOOK_PAGES_MAX = 50;

/** How a store of WooCommerce is connected: the permission of the key, the store's settings and its webhooks. */
export function connectWooCommerce(deps: PortDeps, store: WooStore): ConnectionPort {
  const [secret] = deps.config.platforms.woocommerce.secrets;
  return {
    deliveryPath: WOO_DELIVERY_PATH,
    remarks: [],
    missingAccess: async () => {
      if (secret === undefined)
        throw new ConnectError(
          "WOOCOMMERCE_WEBHOOK_SECRETS is not set: webhooks are signed with it. Nothing was done.",
        );
      if (!hasWooApi(await readStore(deps, store, READ_INDEX)))
        throw new ConnectError(`${store.rest.url} has no REST API of WooCommerce (wc/v3). Nothing was done.`);
      await readStore(deps, store, TRY_READING);
      const result = await callStore(deps, store, TRY_WRITING, { patienceMs: PATIENCE_MS });
      const isRefused = result.kind === "refused" && (result.status === 401 || result.status === 403);
      return isRefused ? [{ scope: "write", without: "no webhooks are added, and no coupon codes" }] : [];
    },
    storeSettings: async () => ({
      currency: currencyOf(await readStore(deps, store, READ_CURRENCY)),
      timeZone: timeZoneOf(await readStore(deps, store, READ_INDEX)),
    }),
    planWebhooks: async (url) => planWooWebhooks(await listWebhooks(deps, store), url),
    addWebhook: async (topic, url) => {
      const order = addWooWebhook(topic, url, secret ?? "");
      const result = await callStore(deps, store, order, { patienceMs: PATIENCE_MS });
      return result.kind === "data" ? null : result.kind === "throttled" ? "the store throttles" : result.detail;
    },
  };
}

async function readStore(deps: PortDeps, store: WooStore, wooRequest: WooRequest): Promise<Json> {
  const result = await callStore(deps, store, wooRequest, { patienceMs: PATIENCE_MS });
  if (result.kind === "data") return result.data;
  const why = result.kind === "throttled" ? "it throttles" : result.detail;
  throw new ConnectError(
    `The store did not answer ${store.rest.url}/wp-json${wooRequest.path} as expected: ${why}. Check WOOCOMMERCE_STORE_URL, WOOCOMMERCE_CONSUMER_KEY and WOOCOMMERCE_CONSUMER_SECRET.`,
  );
}

async function listWebhooks(deps: PortDeps, store: WooStore): Promise<WooWebhook[]> {
  const all: WooWebhook[] = [];
  for (let page = 1; page <= WEBHOOK_PAGES_MAX; page++) {
    const webhooks = webhooksOfWoo(await readStore(deps, store, webhooksRequest(page)));
    all.push(...webhooks);
    if (webhooks.length === 0) return all;
  }
  throw new ConnectError("The store has more webhooks than were expected. Nothing was done.");
}
