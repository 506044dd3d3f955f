import { createHmac } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { processAllReceipts } from "../../src/intake/process-all-receipts.ts";
import { readPlatformSettings } from "../../src/platforms/index.ts";
import type { Answer } from "./client.ts";
import { startTestService, type TestService, type TestServiceOptions } from "./service.ts";

export const SHOP = "teashop.myshopify.com";
export const SECRET = "the platform's secret";

export interface DeliverySpec {
  readonly secret?: string;
  readonly shop?: string;
  /** The unsigned id of the delivery. */
  readonly id?: string;
  readonly headers?: Record<string, string>;
}

/** A receipt's row. */
export interface StoredReceipt {
  readonly uid: string;
  readonly topic: string;
  readonly subject: string;
  readonly state: string;
  readonly note: string | null;
  readonly attempts: number;
}

/** A service that receives a shop's deliveries, and the deliveries in its database. */
export interface IntakeService extends TestService {
  /** Posts a signed delivery. */
  deliver(topic: string, body: string | Buffer, words?: DeliverySpec): Promise<Answer>;
  /** Processes until nothing is due. */
  drain(): Promise<void>;
  receipts(): Promise<StoredReceipt[]>;
}

/** Without a worker unless it is requested: `drain` does the work. */
export async function startIntakeService(options: TestServiceOptions = {}): Promise<IntakeService> {
  const shopify = { shop: SHOP, secrets: [SECRET], admin: undefined };
  const service = await startTestService({
    worker: false,
    ...options,
    config: { platform: "shopify", platforms: { ...readPlatformSettings({}), shopify }, ...options.config },
  });
  return {
    ...service,
    deliver: (topic, body, words = {}) =>
      service.client.as(null).request("POST", "/intake/shopify/webhooks", {
        body: body.toString(),
        headers: {
          "x-shopify-topic": topic,
          "x-shopify-shop-domain": words.shop ?? SHOP,
          "x-shopify-api-version": "2026-04",
          "x-shopify-webhook-id": words.id ?? "delivery-1",
          "x-shopify-hmac-sha256": createHmac("sha256", words.secret ?? SECRET)
            .update(body)
            .digest("base64"),
          ...words.headers,
        },
      }),
    drain: () => processAllReceipts(service.deps),
    receipts: () =>
      service.deps.db.query<StoredReceipt>(
        "select uid, topic, subject, state, note, attempts from receipt order by uid",
      ),
  };
}

/** Services for stories: one for each currency, because a story's order is in its store's own. */
export interface StoresByCurrency {
  of(currency: string): Promise<IntakeService>;
  all(): Promise<IntakeService[]>;
  stop(): Promise<void>;
}

/** The stores begin on 1 March 2026; `setTo` is the time to which their clocks are set afterwards. */
export function storesByCurrency(setTo = "2026-03-01T00:00:00Z"): StoresByCurrency {
  const stores = new Map<string, Promise<IntakeService>>();
  const start = async (currency: string) => {
    const store = await startIntakeService({ now: "2026-03-01T00:00:00Z", program: { store: { currency } } });
    store.clock.set(setTo);
    return store;
  };
  return {
    of(currency) {
      const store = stores.get(currency) ?? start(currency);
      stores.set(currency, store);
      return store;
    },
    all: () => Promise.all(stores.values()),
    async stop() {
      for (const store of stores.values()) await (await store).stop();
    },
  };
}

export interface Recorded {
  readonly file: string;
  readonly topic: string;
  readonly body: Buffer;
}

const FOLDER = new URL("../fixtures/shopify/", import.meta.url);

/** Every recorded body, with its topic according to test/fixtures/shopify/SOURCES.md. */
export function readRecorded(): Recorded[] {
  const rows = readFileSync(new URL("SOURCES.md", FOLDER), "utf8").split("\n");
  const topics = new Map(rows.map((row) => row.split("|")).map((cells) => [cells[1]?.trim(), cells[2]?.trim()]));
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(".json") && file !== "hmac-vectors.json")
    .map((file) => ({ file, topic: topics.get(file) ?? "", body: readFileSync(new URL(file, FOLDER)) }));
}
