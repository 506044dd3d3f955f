import { excessOfBytes, JSON_DEPTH_MAX, type JsonLimits, scanJson } from "../json-scan.ts";

/** A number of a body with its source text: an id or an amount is never converted to a double (program.md 1). */
export class JsonNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

export type Json = null | boolean | string | JsonNumber | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json;
}

export type JsonParse = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly fault: string };

/** The largest bodies of a platform have a few hundred thousand. */
const ELEMENTS_MAX = 500_000;
const LIMITS: JsonLimits = { depth: JSON_DEPTH_MAX, elements: ELEMENTS_MAX };
/** From this size on the limits are checked before the bytes are decoded to text. */
const LARGE_BYTES = 1_048_576;

/**
 * Parses a body of UTF-8 bytes and keeps every digit. Fields named `__proto__` are dropped. Returns `fault` if the bytes are not UTF-8 or
 * not JSON, are nested too deep or have too many elements.
 */
export function parseJsonSource(bytes: Uint8Array): JsonParse {
  const excess = bytes.length < LARGE_BYTES ? null : excessOfBytes(bytes, LIMITS);
  if (excess !== null) return { ok: false, fault: excessFault(excess) };
  try {
    return parseJsonText(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return { ok: false, fault: "the body is not UTF-8" };
  }
}

/** Like `parseJsonSource`, from text. */
export function parseJsonText(text: string): JsonParse {
  const { excess } = scanJson(text, LIMITS);
  if (excess !== null) return { ok: false, fault: excessFault(excess) };
  try {
    return { ok: true, value: JSON.parse(text, keepSource) };
  } catch {
    return { ok: false, fault: "the body is not valid JSON" };
  }
}

function excessFault(excess: keyof JsonLimits): string {
  if (excess === "depth") return `the body is nested deeper than ${JSON_DEPTH_MAX} levels`;
  return `the body has more than ${ELEMENTS_MAX} elements`;
}

/** Returns the JSON text of a value, with its numbers as in their source. */
export function formatJson(value: Json): string {
  if (value instanceof JsonNumber) return value.source;
  if (isList(value)) return `[${value.map(formatJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}:${formatJson(field)}`);
  return `{${fields.join(",")}}`;
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}

/** Returns an own field, never an inherited one. */
export function fieldOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** `context` is optional because the types of JSON.parse do not include it yet; the runtime always passes it. */
function keepSource(name: string, value: unknown, context?: { source?: string }): unknown {
  if (name === "__proto__") return undefined;
  return typeof value === "number" ? new JsonNumber(context?.source ?? String(value)) : value;
}
