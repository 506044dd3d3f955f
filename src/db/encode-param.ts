import { type ElementType, encodeArray } from "./encode-array.ts";
import type { Param } from "./pool.ts";

/** The text (or bytes) that PostgreSQL reads for one bound value; `elementType` is that of an array, where its statement tells. */
export function encodeParam(value: Param, elementType?: ElementType): string | Buffer | null {
  if (value === null) return null;
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (!Array.isArray(value)) return value.toString();
  return (elementType && encodeArray(value, elementType)) ?? arrayText(value);
}

function arrayText(values: readonly Param[]): string {
  let text = "{";
  for (let i = 0; i < values.length; i++) {
    if (i > 0) text += ",";
    text += encodeElement(values[i] ?? null);
  }
  return `${text}}`;
}

function encodeElement(value: Param): string {
  if (value === null) return "NULL";
  if (typeof value === "string") return quote(value);
  if (value instanceof Uint8Array)
    return `"\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex")}"`;
  if (Array.isArray(value)) return arrayText(value);
  return value.toString();
}

const SPECIAL = /["\\]/;

function quote(text: string): string {
  return SPECIAL.test(text) ? `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"` : `"${text}"`;
}
