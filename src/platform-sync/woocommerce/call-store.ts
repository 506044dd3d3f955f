import { setTimeout as delay } from "node:timers/promises";
import { type Dispatcher, request } from "undici";
import { readWooAnswer, type WooRequest, type WooResult } from "../../platforms/woocommerce/rest/answer.ts";
import type { WooCommerceRest } from "../../platforms/woocommerce/settings.ts";
import { callbackTarget } from "../../webhooks/callbacks/callback-url.ts";
import { ForbiddenAddress } from "../../webhooks/callbacks/resolve-callback.ts";
import type { PortDeps } from "../platform-port.ts";
import { readAnswerText } from "../read-answer-text.ts";

/** A store, and the connections to it. Their addresses are checked like those of callbacks. */
export interface WooStore {
  readonly rest: WooCommerceRest;
  readonly dispatcher: Dispatcher;
}

/** Nothing was sent: there is no connection. */
const UNSENT_CODES = new Set<unknown>(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);
/** The address is never allowed, so the call is not repeated. */
const FORBIDDEN = "forbidden_address";

/**
 * Sends one request to the store and returns the result. Never call it inside a transaction. It does not throw if the network fails. If the store
 * throttles, it waits as long as the store says, up to `patienceMs` in all. It follows no redirects, so the key goes only to the store's address.
 */
export async function callStore(
  deps: PortDeps,
  store: WooStore,
  wooRequest: WooRequest,
  { patienceMs, signal }: { readonly patienceMs: number; readonly signal?: AbortSignal },
): Promise<WooResult> {
  const startedMs = performance.now();
  for (;;) {
    const result = await send(deps, store, wooRequest, signal);
    if (result.kind === "data") return result;
    if (result.kind === "throttled" && performance.now() - startedMs + result.waitMs <= patienceMs) {
      await delay(result.waitMs, undefined, { signal });
      continue;
    }
    deps.log.warn(
      { method: wooRequest.method, path: wooRequest.path, result },
      "the store did not carry out a request",
    );
    return result;
  }
}

async function send(
  deps: PortDeps,
  { rest, dispatcher }: WooStore,
  { method, path, body }: WooRequest,
  signal: AbortSignal | undefined,
): Promise<WooResult> {
  const url = `${rest.url}/wp-json${path}`;
  const { refusal } = callbackTarget(url, deps.config);
  if (refusal !== null) return refused(`WOOCOMMERCE_STORE_URL: ${refusal}`, FORBIDDEN);
  const timeout = AbortSignal.timeout(rest.timeoutMs);
  try {
    const answer = await request(url, {
      method,
      dispatcher,
      headers: {
        authorization: `Basic ${Buffer.from(`${rest.key}:${rest.secret}`).toString("base64")}`,
        accept: "application/json",
        "user-agent": "pointkeeper",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    return readWooAnswer({
      status: answer.statusCode,
      retryAfter: headerOf(answer.headers["retry-after"]),
      receivedMs: Date.now(),
      total: headerOf(answer.headers["x-wp-total"]),
      body: await readAnswerText(deps, answer.body),
    });
  } catch (error) {
    signal?.throwIfAborted();
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const detail = error instanceof Error ? error.message : String(error);
    if (error instanceof ForbiddenAddress) return refused(`WOOCOMMERCE_STORE_URL: ${detail}`, FORBIDDEN);
    return UNSENT_CODES.has(code) ? refused(detail, null) : { kind: "unknown", detail };
  }
}

function refused(detail: string, code: string | null): WooResult {
  return { kind: "refused", status: null, code, detail };
}

function headerOf(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : header?.[0];
}
