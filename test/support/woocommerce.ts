import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { processAllReceipts } from "../../src/intake/process-all-receipts.ts";
import { readPlatformSettings } from "../../src/platforms/index.ts";
import type { Answer } from "./client.ts";
import { startTestService, type TestService } from "./service.ts";
import type { WooResource, WooServer } from "./woocommerce-server.ts";

export const WOO_SECRET = "the secret of the webhook";
const STORE = "https://tea.example/";

function fixture(name: string) {
  return JSON.parse(readFileSync(new URL(`../fixtures/woocommerce/${name}.json`, import.meta.url), "utf8"));
}

/** The fixture refunds: of the shipping (10.00), and of the tea pot (12.90 of 29.35). */
export function wooRefunds(): WooResource[] {
  return fixture("refunds");
}

/** The fixture customer, with fields replaced. */
export function wooCustomer(fields: Readonly<Record<string, unknown>> & { readonly id: number }): WooResource {
  return { ...fixture("customer"), ...fields };
}

/** The fixture order of WooCommerce, with fields of it replaced. */
export function wooOrder(fields: object = {}): Record<string, unknown> {
  return { ...fixture("order"), ...fields };
}

interface WooOptions {
  readonly currency?: string;
  readonly server?: WooServer;
}

/** A service that receives a WooCommerce store's deliveries. */
export interface WooService extends TestService {
  /** Posts a delivery signed like the store's, and returns the response. */
  deliver(topic: string, body: object, words?: { readonly secret?: string; readonly store?: string }): Promise<Answer>;
  /** Delivers and processes everything; throws if it was not accepted. */
  send(topic: string, body: object): Promise<void>;
  /** Posts the unsigned ping of a new webhook, or another form. */
  ping(form: string): Promise<Answer>;
  /** Points of a customer; undefined: there is none. */
  balance(customerId: string | number): Promise<number | undefined>;
}

/** `server`: the store's REST API, which the service may call. */
export async function startWooService({ currency = "USD", server }: WooOptions = {}): Promise<WooService> {
  const settings = { WOOCOMMERCE_STORE_URL: STORE, WOOCOMMERCE_WEBHOOK_SECRETS: WOO_SECRET };
  const { woocommerce, ...others } = readPlatformSettings(settings);
  const rest = server && { url: server.url, key: server.key, secret: server.secret, timeoutMs: 20_000 };
  const platforms = { ...others, woocommerce: { ...woocommerce, rest } };
  const earning = { point_value: 1, currency_value: currency === "JPY" ? 1 : 100, rounding: "down" };
  const service = await startTestService({
    worker: false,
    program: { store: { currency }, earning },
    ...(server === undefined ? {} : { now: "2026-03-10T10:00:00Z", log: () => {} }),
    config: {
      ...{ platform: "woocommerce", platforms, publicUrl: "https://points.example" },
      ...(server === undefined ? {} : { allowPrivateCallbacks: true }),
    },
  });
  const post = (body: string, headers: Record<string, string>) =>
    service.client.as(null).request("POST", "/intake/woocommerce/webhooks", { body, headers });
  const deliver: WooService["deliver"] = (topic, body, { secret = WOO_SECRET, store = STORE } = {}) => {
    const text = JSON.stringify(body);
    const signature = createHmac("sha256", secret).update(text).digest("base64");
    return post(text, {
      "x-wc-webhook-topic": topic,
      "x-wc-webhook-source": store,
      "x-wc-webhook-signature": signature,
      // WooCommerce's is made of the webhook and the second
      "x-wc-webhook-delivery-id": createHmac("sha256", "delivery")
        .update(`${service.clock.now()}${text}`)
        .digest("hex"),
    });
  };
  return {
    ...service,
    deliver,
    async send(topic, body) {
      const { status } = await deliver(topic, body);
      await processAllReceipts(service.deps);
      const left = await service.deps.db.query("select topic, state, note from receipt where state <> 'done'");
      if (status !== 200 || left.length > 0) throw new Error(`not taken: ${status} ${JSON.stringify(left)}`);
    },
    ping: (form) => post(form, { "content-type": "application/x-www-form-urlencoded" }),
    balance: async (id) => (await service.client.get(`/api/storefront/point_balance/${id}`)).body.data?.point_balance,
  };
}
