import { errorOf, PointkeeperError } from "./error.ts";
import { exactJson, parseExactJson } from "./exact-json.ts";

/** Settings of a client. */
export interface PointkeeperOptions {
  /** The URL of the service: `https://points.example.com`, with a path if it has one. */
  readonly baseUrl: string;
  /** The credential's key; without it only the secret is sent (`Bearer`). */
  readonly key?: string;
  readonly secret: string;
  readonly fetch?: typeof fetch;
  /**
   * For each attempt, from connecting to the end of its response; 15 seconds when absent. A long poll of the change feed may take as much longer as
   * it waits.
   */
  readonly timeoutMs?: number;
  /** How many times a failed request is sent again; 4 when absent. */
  readonly retries?: number;
  /** The longest wait before another attempt; 30 seconds when absent. The call fails at once where `Retry-After`, or the delay without it, is longer. */
  readonly maxRetryWaitMs?: number;
}

/** Settings of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly retries?: number;
  /** For a POST; by default each call has a new one, which all its attempts share. */
  readonly idempotencyKey?: string;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long the service may hold its answer back; the timeout begins after it. */
  readonly holdMs?: number;
  /** The response has the answer in its `data`; without it, it is not the service's. */
  readonly hasData?: boolean;
}

const RETRIED = new Set([408, 429, 500, 502, 503, 504]);
const RUNNING = "A request with this Idempotency-Key is still running";
const BACKOFF_MS = 250;
const BACKOFF_MAX_MS = 8000;
/** A timer with more than this ends at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Sends requests, and repeats each until its response would not change by repeating it, or its attempts are used up. */
export class Transport {
  readonly #options: PointkeeperOptions;
  readonly #base: string;
  readonly #authorization: string;

  constructor(options: PointkeeperOptions) {
    if (!/^https?:\/\//.test(options.baseUrl)) throw new TypeError("baseUrl: expected an http or https URL");
    if (typeof options.secret !== "string" || options.secret === "") throw new TypeError("secret: expected a text");
    this.#options = options;
    this.#base = options.baseUrl.replace(/\/+$/, "");
    this.#authorization =
      options.key === undefined ? `Bearer ${options.secret}` : `Basic ${base64(`${options.key}:${options.secret}`)}`;
  }

  /** Returns the parsed body of a success. Throws PointkeeperError, or the reason of an aborted signal. */
  json(call: Call, options: CallOptions = {}): Promise<unknown> {
    return this.#send(call, options, async (response) => {
      const text = await response.text();
      if (response.status === 204) return undefined;
      const answer = parseExactJson(text);
      const isObject = typeof answer === "object" && answer !== null && !Array.isArray(answer);
      if (isObject && (call.hasData !== true || "data" in answer)) return answer;
      throw new SyntaxError("expected a JSON object of the service"); // a proxy may answer in place of the service
    });
  }

  /** Returns the response with its body unread; `timeoutMs` covers only the time until its headers. */
  stream(call: Call, options: CallOptions = {}): Promise<Response> {
    return this.#send(call, options, (response) => Promise.resolve(response));
  }

  async #send<T>(call: Call, options: CallOptions, read: (response: Response) => Promise<T>): Promise<T> {
    const request = this.#request(call, options);
    const retries = options.retries ?? this.#options.retries ?? 4;
    for (let attempt = 1; ; attempt++) {
      options.signal?.throwIfAborted();
      const result = await this.#attempt(request, options, attempt, read);
      if (!(result instanceof PointkeeperError)) return result.value;
      const maxMs = this.#options.maxRetryWaitMs ?? 30_000;
      const waitMs = waitBefore(result, attempt);
      if (attempt > retries || !isRetried(result) || (result.retryAfterMs || waitMs) > maxMs) throw result;
      await pause(Math.min(waitMs, maxMs), options.signal);
    }
  }

  #request({ method, path, query, body, headers, holdMs = 0 }: Call, { idempotencyKey, timeoutMs }: CallOptions) {
    const all = new Headers({ accept: "application/json", authorization: this.#authorization, ...headers });
    if (method === "POST") all.set("idempotency-key", idempotencyKey ?? crypto.randomUUID());
    if (body !== undefined) all.set("content-type", "application/json");
    const init = { method, headers: all, ...(body === undefined ? {} : { body: exactJson(body) }) };
    const limitMs = holdMs + (timeoutMs ?? this.#options.timeoutMs ?? 15_000);
    return { url: `${this.#base}${path}${queryText(query)}`, init, limitMs };
  }

  async #attempt<T>(
    { url, init, limitMs }: { url: string; init: RequestInit; limitMs: number },
    options: CallOptions,
    attempts: number,
    read: (response: Response) => Promise<T>,
  ): Promise<{ value: T } | PointkeeperError> {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), Math.min(limitMs, TIMER_MAX_MS));
    const signals = options.signal === undefined ? [timeout.signal] : [timeout.signal, options.signal];
    try {
      const send = this.#options.fetch ?? fetch;
      const response = await send(url, { ...init, redirect: "manual", signal: AbortSignal.any(signals) });
      if (response.ok) return { value: await read(response) };
      return errorOf(response, await response.text(), attempts);
    } catch (cause) {
      options.signal?.throwIfAborted();
      const [code, title] = timeout.signal.aborted ? ["timeout", "No answer in time"] : ["network_error", "No answer"];
      return new PointkeeperError({ status: 0, code, title, attempts, cause });
    } finally {
      clearTimeout(timer);
    }
  }
}

function isRetried(error: PointkeeperError): boolean {
  if (error.status === 409) return error.code === "idempotency_running" || error.title === RUNNING;
  return error.status === 0 || RETRIED.has(error.status);
}

/**
 * Returns a delay that doubles with each attempt, minus a random part of up to half. After `Retry-After` a random delay is added to it, up to this one or
 * a quarter of `Retry-After`, so that clients that were refused together do not return together.
 */
function waitBefore({ retryAfterMs = 0 }: PointkeeperError, attempt: number): number {
  const backoffMs = Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** (attempt - 1));
  const leastMs = backoffMs / 2;
  return retryAfterMs + leastMs + Math.random() * (Math.max(backoffMs, retryAfterMs / 4) - leastMs);
}

/** Waits, or rejects with the reason of the signal. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted === true) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      },
      Math.min(ms, TIMER_MAX_MS),
    );
    signal?.addEventListener("abort", stop, { once: true });
  });
}

function queryText(query: Readonly<Record<string, unknown>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
