import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { processAllReceipts } from "../../src/intake/process-all-receipts.ts";
import { readPlatformSettings } from "../../src/platforms/index.ts";
import type { Answer } from "./client.ts";
import { startTestService, type TestService } from "./service.ts";

export const WOO_SECRET = "the secret of the webhook";
const STORE = "https://tea.example/";

/** The fixture order of WooCommerce, with fields of it replaced. */
export function wooOrder(fields: object = {}): Record<string, unknown> {
  const file = new URL("../fixtures/woocommerce/order.json", import.meta.url);
  return { ...JSON.parse(readFileSync(file, "utf8")), ...fields };
}

/** A service that a WooCommerce store delivers to. */
export interface WooService extends TestService {
  /** Posts a delivery as the store signs it, and returns its answer. */
  deliver(topic: string, body: object, words?: { readonly secret?: string; readonly store?: string }): Promise<Answer>;
  /** Delivers, processes it all, and throws where it was not taken. */
  tell(topic: string, body: object): Promise<void>;
  /** Posts the unsigned ping of a new webhook, or another form. */
  ping(form: string): Promise<Answer>;
  /** Points of a customer; undefined: there is none. */
  balance(customerId: string | number): Promise<number | undefined>;
}

export async function startWooService(currency = "USD"): Promise<WooService> {
  const platforms = readPlatformSettings({ WOOCOMMERCE_STORE_URL: STORE, WOOCOMMERCE_WEBHOOK_SECRETS: WOO_SECRET });
  const earning = { point_value: 1, currency_value: currency === "JPY" ? 1 : 100, rounding: "down" };
  const service = await startTestService({
    worker: false,
    program: { store: { currency }, earning },
    config: { platform: "woocommerce", platforms },
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
      "x-wc-webhook-delivery-id": createHmac("sha256", "delivery").update(text).digest("hex"),
    });
  };
  return {
    ...service,
    deliver,
    async tell(topic, body) {
      const { status } = await deliver(topic, body);
      await processAllReceipts(service.deps);
      const left = await service.deps.db.query("select topic, state, note from receipt where state <> 'done'");
      if (status !== 200 || left.length > 0) throw new Error(`not taken: ${status} ${JSON.stringify(left)}`);
    },
    ping: (form) => post(form, { "content-type": "application/x-www-form-urlencoded" }),
    balance: async (id) => (await service.client.get(`/api/storefront/point_balance/${id}`)).body.data?.point_balance,
  };
}
