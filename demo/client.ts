import { createHmac } from "node:crypto";
import { type Static, type TSchema, Type } from "typebox";
import { Value } from "typebox/value";
import { type Dispatcher, Pool } from "undici";
import { DemoError } from "./demo-error.ts";
import type { Message } from "./payloads/platform-json.ts";
import { CREDENTIAL, PLATFORM_SECRET, SHOP_DOMAIN } from "./start-service.ts";

/** The number of simultaneous requests. */
export const IN_FLIGHT = 32;

/** A delivery of the platform; its body may be recorded bytes. */
export interface PlatformDelivery {
  readonly topic: string;
  readonly body: string | Uint8Array;
}

export interface DemoClient {
  /** Returns the response of the interface, which has the given shape. Throws DemoError for every other response. */
  call<T extends TSchema>(method: Method, path: string, shape: T, sent?: Sent): Promise<Static<T>>;
  /** Posts one delivery, signed like the platform's. */
  deliver(delivery: PlatformDelivery | Message, id: string): Promise<void>;
  /** Fetches a file at a URL that the service returned. */
  fetchText(url: string): Promise<string>;
  /** The number of answered requests so far. */
  readonly requests: number;
  close(): Promise<void>;
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const AUTHORIZATION = `Basic ${Buffer.from(`${CREDENTIAL.key}:${CREDENTIAL.secret}`).toString("base64")}`;

/** Creates a client of the service at `url`, over persistent connections. */
export function createClient(url: string): DemoClient {
  const pool = new Pool(url, { connections: IN_FLIGHT });
  let requests = 0;

  async function send(method: Method, path: string, body: string | Uint8Array | null, headers: Record<string, string>) {
    const { status, text } = await ask(pool, { method, path, body, headers });
    requests += 1;
    if (status >= 200 && status < 300) return text;
    throw new DemoError(`${method} ${path} was answered ${status}: ${text.slice(0, 500)}`);
  }

  return {
    async call(method, path, shape, sent = {}) {
      const body = sent.body === undefined ? null : JSON.stringify(sent.body);
      const type = body === null ? {} : { "content-type": "application/json" };
      const text = await send(method, path, body, { authorization: AUTHORIZATION, ...type, ...sent.headers });
      const answer: unknown = JSON.parse(text);
      if (Value.Check(shape, answer)) return answer;
      throw new DemoError(`${method} ${path} answered another shape than expected: ${text.slice(0, 500)}`);
    },
    async deliver({ topic, body }, id) {
      await send("POST", "/intake/shopify/webhooks", body, platformHeaders(topic, body, id));
    },
    async fetchText(address) {
      const { pathname, search } = new URL(address);
      return await send("GET", pathname + search, null, {});
    },
    get requests() {
      return requests;
    },
    close: () => pool.destroy(),
  };
}

async function ask(pool: Pool, request: Dispatcher.RequestOptions): Promise<{ status: number; text: string }> {
  try {
    const answer = await pool.request(request);
    return { status: answer.statusCode, text: await answer.body.text() };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new DemoError(`The service did not answer ${request.method} ${request.path}: ${why}`);
  }
}

function platformHeaders(topic: string, body: string | Uint8Array, id: string): Record<string, string> {
  return {
    "content-type": "application/json",
    "x-shopify-topic": topic,
    "x-shopify-shop-domain": SHOP_DOMAIN,
    "x-shopify-api-version": "2026-04",
    "x-shopify-webhook-id": id,
    "x-shopify-hmac-sha256": createHmac("sha256", PLATFORM_SECRET).update(body).digest("base64"),
  };
}

/** A shape that accepts every response. */
export const anything = Type.Unknown();
