import { fieldOf, isList, isObject, type Json, JsonNumber, type JsonObject, parseJsonText } from "../../json-source.ts";

/** An answer of the Admin API as received. */
export interface AdminAnswer {
  readonly status: number;
  /** The header `retry-after`, in seconds. */
  readonly retryAfter: string | undefined;
  readonly body: string;
}

/** The result of a request to the Admin API. */
export type AdminResult =
  | { readonly kind: "data"; readonly data: JsonObject }
  /** Not executed: the store's rate limit is used up for now. */
  | { readonly kind: "throttled"; readonly waitMs: number }
  /** Certainly not executed, and will not be without a change of the settings or the request. */
  | { readonly kind: "refused"; readonly detail: string }
  /** It may have been executed. */
  | { readonly kind: "unknown"; readonly detail: string };

/** A fault of the request's values, as mutations return it. */
export interface UserError {
  readonly field: readonly string[];
  readonly message: string;
}

const THROTTLED_WAIT_MS = 1_000;
const WAIT_MAX_MS = 60_000;
/** Codes of top-level errors after which nothing was executed; any other error leaves it open. */
const REFUSED_CODES = new Set<unknown>([
  ...["ACCESS_DENIED", "SHOP_INACTIVE", "MAX_COST_EXCEEDED", "INVALID_VARIABLE"],
  ...["undefinedField", "argumentNotAccepted", "variableMismatch", "missingRequiredInputObjectAttribute"],
]);

/** Reads an answer: errors of the whole request are at the top (even with 200), those of values inside `data`. */
export function readAnswer({ status, retryAfter, body }: AdminAnswer): AdminResult {
  if (status === 429) return { kind: "throttled", waitMs: waitOf(retryAfter) };
  if (status >= 400 && status < 500 && status !== 408) return { kind: "refused", detail: `answered ${status}` };
  if (status !== 200) return { kind: "unknown", detail: `answered ${status}` };
  const parsed = parseJsonText(body);
  if (!parsed.ok || !isObject(parsed.value))
    return { kind: "unknown", detail: "answered something that is no JSON object" };
  const errors = fieldOf(parsed.value, "errors");
  if (errors !== undefined && errors !== null) return failed(errors, parsed.value);
  const data = fieldOf(parsed.value, "data");
  return isObject(data) ? { kind: "data", data } : { kind: "unknown", detail: "answered without data" };
}

function failed(errors: Json, whole: JsonObject): AdminResult {
  const list = isList(errors) ? errors : [errors];
  const codes = list.map((error) => fieldOf(fieldOf(error, "extensions"), "code"));
  if (codes.includes("THROTTLED")) return { kind: "throttled", waitMs: restoredIn(whole) };
  const detail = list.map((error) => textOf(fieldOf(error, "message")) ?? "failed").join("; ");
  return { kind: codes.every((code) => REFUSED_CODES.has(code)) ? "refused" : "unknown", detail };
}

/** Returns the milliseconds until the rate limit allows the request's cost. */
function restoredIn(whole: JsonObject): number {
  const cost = fieldOf(fieldOf(whole, "extensions"), "cost");
  const status = fieldOf(cost, "throttleStatus");
  const requested = numberOf(fieldOf(cost, "requestedQueryCost"));
  const left = numberOf(fieldOf(status, "currentlyAvailable"));
  const rate = numberOf(fieldOf(status, "restoreRate"));
  if (requested === null || left === null || rate === null || rate <= 0) return THROTTLED_WAIT_MS;
  return Math.min(WAIT_MAX_MS, Math.max(100, Math.ceil(((requested - left) / rate) * 1_000)));
}

function waitOf(retryAfter: string | undefined): number {
  const seconds = Number(retryAfter ?? "");
  if (!Number.isFinite(seconds) || seconds <= 0) return THROTTLED_WAIT_MS;
  return Math.min(WAIT_MAX_MS, Math.ceil(seconds * 1_000));
}

/** Returns the faults of values in a mutation's payload. */
export function userErrorsOf(payload: Json | undefined): UserError[] {
  const errors = fieldOf(payload, "userErrors");
  if (!isList(errors)) return [];
  return errors.map((error) => {
    const field = fieldOf(error, "field");
    return {
      field: isList(field) ? field.flatMap((part) => textOf(part) ?? []) : [],
      message: textOf(fieldOf(error, "message")) ?? "refused",
    };
  });
}

export function textOf(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}

export function numberOf(value: Json | undefined): number | null {
  return value instanceof JsonNumber ? Number(value.source) : null;
}
