import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import type { Deps } from "../../deps.ts";
import { type AdminAnswer, type AdminResult, readAnswer } from "../../platforms/shopify/admin/answer.ts";
import type { AdminRequest } from "../../platforms/shopify/admin/discount-code.ts";
import type { ShopifyAdmin } from "../../platforms/shopify/settings.ts";
import { readAnswerText } from "../read-answer-text.ts";
import { adminToken } from "./admin-token.ts";
import { noteApiVersion } from "./note-api-version.ts";

/** Nothing was sent: there is no connection. */
const UNSENT_CODES = new Set<unknown>(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);
/** A rate-limited request is retried within this time. */
const PATIENCE_MS = 5_000;

interface CallOptions {
  /** How long a rate-limited request is retried; 5 seconds when absent. */
  readonly patienceMs?: number;
  /** That of the settings when absent. */
  readonly timeoutMs?: number;
  /** Ends the request and its waiting: its reason is thrown. */
  readonly signal?: AbortSignal;
}

/**
 * Sends one request to the store's Admin API, never inside a transaction, and returns the result; never throws for a fault of
 * the network. Throttled ones wait as long as the platform says, and are given up when the patience ends.
 */
export async function callAdmin(
  deps: Pick<Deps, "log">,
  admin: ShopifyAdmin,
  { query, variables }: AdminRequest,
  options: CallOptions = {},
): Promise<AdminResult> {
  const { patienceMs = PATIENCE_MS, signal } = options;
  const operation = query.slice(0, query.indexOf("("));
  const startedMs = performance.now();
  for (;;) {
    const result = await send(deps, admin, { body: JSON.stringify({ query, variables }), ...options });
    if (result.kind === "data") return result;
    if (result.kind === "throttled" && performance.now() - startedMs + result.waitMs <= patienceMs) {
      deps.log.debug({ operation, waitMs: result.waitMs }, "the platform throttles");
      await delay(result.waitMs, undefined, { signal });
      continue;
    }
    deps.log.warn({ operation, result }, "the platform did not carry out a request");
    return result;
  }
}

type SentRequest = Omit<CallOptions, "patienceMs"> & { readonly body: string };

/** A granted token may be revoked before its end: the request is then sent once more with a new one. */
async function send(deps: Pick<Deps, "log">, admin: ShopifyAdmin, sent: SentRequest): Promise<AdminResult> {
  const { signal } = sent;
  let isSent = false;
  try {
    const token = await adminToken(deps, admin, { signal });
    isSent = true;
    const answer = await post(deps, admin, token, sent);
    if (answer.status !== 401 || "token" in admin) return readAnswer(answer);
    isSent = false;
    const renewed = await adminToken(deps, admin, { refused: token, signal });
    isSent = true;
    return readAnswer(await post(deps, admin, renewed, sent));
  } catch (error) {
    signal?.throwIfAborted();
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const detail = error instanceof Error ? error.message : String(error);
    return { kind: !isSent || UNSENT_CODES.has(code) ? "refused" : "unknown", detail };
  }
}

async function post(
  deps: Pick<Deps, "log">,
  admin: ShopifyAdmin,
  token: string,
  { body, timeoutMs = admin.timeoutMs, signal }: SentRequest,
): Promise<AdminAnswer> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const answer = await request(admin.url, {
    method: "POST",
    headers: { "content-type": "application/json", "x-shopify-access-token": token, "user-agent": "pointkeeper" },
    body,
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  });
  noteApiVersion(deps, admin, answer.headers);
  const retryAfter = answer.headers["retry-after"];
  return {
    status: answer.statusCode,
    retryAfter: typeof retryAfter === "string" ? retryAfter : undefined,
    body: await readAnswerText(deps, answer.body),
  };
}
