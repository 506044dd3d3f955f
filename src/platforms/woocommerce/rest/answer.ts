import { fieldOf, type Json, JsonNumber, parseJsonText } from "../../json-source.ts";

/** A request to the store's REST API. */
export interface WooRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below `/wp-json`, with its query: `/wc/v3/orders?page=2`. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The result of a request to the store. */
export type WooResult =
  | { readonly kind: "data"; readonly data: Json; readonly total: number | null }
  /** Not executed: the store, or a proxy in front of it, limits requests for now. */
  | { readonly kind: "throttled"; readonly waitMs: number }
  /** Certainly not executed. `code` is WooCommerce's; null: the answer has none. */
  | { readonly kind: "refused"; readonly status: number | null; readonly code: string | null; readonly detail: string }
  /** It may have been executed. */
  | { readonly kind: "unknown"; readonly detail: string };

export interface WooAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** When it arrived, in milliseconds since 1970: `retryAfter` may be a date. */
  readonly receivedMs: number;
  /** The header `x-wp-total`. */
  readonly total: string | undefined;
  readonly body: string;
}

const WAIT_MS = 1_000;
const WAIT_MAX_MS = 60_000;

/** Reads an answer. If a proxy or WordPress itself returns a page instead of JSON, the effect is unknown. */
export function readWooAnswer({ status, retryAfter, receivedMs, total, body }: WooAnswer): WooResult {
  if (status === 429) return { kind: "throttled", waitMs: waitOf(retryAfter ?? "", receivedMs) };
  const parsed = parseJsonText(body);
  if (status === 200 || status === 201) {
    if (!parsed.ok) return { kind: "unknown", detail: `answered ${status}: ${parsed.fault}` };
    return { kind: "data", data: parsed.value, total: numberOf(total) };
  }
  const code = parsed.ok ? fieldOf(parsed.value, "code") : undefined;
  const message = parsed.ok ? fieldOf(parsed.value, "message") : undefined;
  const said = typeof message === "string" ? `: ${message.slice(0, 300)}` : "";
  const detail = `answered ${status}${said}`;
  if (status < 400 || status >= 500 || status === 408) return { kind: "unknown", detail };
  return { kind: "refused", status, code: typeof code === "string" ? code : null, detail };
}

function numberOf(header: string | undefined): number | null {
  return header !== undefined && /^[0-9]{1,12}$/.test(header) ? Number(header) : null;
}

/** Reads seconds, or the date until which the store wants no request. */
function waitOf(retryAfter: string, receivedMs: number): number {
  const waitMs = /^\s*\d/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - receivedMs;
  return waitMs > 0 ? Math.min(WAIT_MAX_MS, Math.ceil(waitMs)) : WAIT_MS;
}

/** Returns the digits of an id; null: it has none. */
export function wooIdOf(value: Json | undefined): string | null {
  return value instanceof JsonNumber && /^[1-9][0-9]{0,19}$/.test(value.source) ? value.source : null;
}
