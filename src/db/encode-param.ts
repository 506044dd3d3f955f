/** The types of a statement's parameters. Instants, bigints and bytes are accepted directly; arrays become PostgreSQL arrays. */
export type Param = null | string | number | bigint | boolean | Temporal.Instant | Uint8Array | readonly Param[];

/** The buffer to which the elements of an array are written. */
interface Target {
  readonly bytes: Buffer;
  readonly view: DataView;
}

/** How elements are written in PostgreSQL's binary form. `write` returns the number of bytes written, -1: the value is not of this type. */
export interface ElementType {
  /** The type's number in PostgreSQL's catalog. */
  readonly oid: number;
  readonly bytesMax: (value: Param) => number;
  readonly write: (target: Target, value: Param, at: number) => number;
}

const NOT_MINE = -1;
const INT8_MIN = -(2n ** 63n);
const INT8_MAX = 2n ** 63n - 1n;
/** PostgreSQL counts microseconds from 2000-01-01T00:00:00Z. */
const EPOCH_MICROS = 946_684_800_000_000n;

const TYPES: Readonly<Record<string, ElementType>> = {
  smallint: { oid: 21, bytesMax: () => 2, write: writeSmallint },
  integer: { oid: 23, bytesMax: () => 4, write: writeInteger },
  bigint: { oid: 20, bytesMax: () => 8, write: writeBigint },
  boolean: { oid: 16, bytesMax: () => 1, write: writeBoolean },
  uuid: { oid: 2950, bytesMax: () => 16, write: writeUuid },
  timestamptz: { oid: 1184, bytesMax: () => 8, write: writeInstant },
  bytea: { oid: 17, bytesMax: (value) => (value instanceof Uint8Array ? value.length : 0), write: writeBytes },
  text: { oid: 25, bytesMax: (value) => (typeof value === "string" ? value.length * 3 : 0), write: writeText },
};

const ARRAY_CAST = new RegExp(`\\$(\\d+)::(${Object.keys(TYPES).join("|")})\\[\\]`, "g");

const SPECIAL = /["\\]/;

/** Returns the element types of a statement's array parameters, by position from 0, from its casts (`$1::uuid[]`). */
export function arrayTypes(text: string): readonly (ElementType | undefined)[] {
  const types: (ElementType | undefined)[] = [];
  for (const [, n, name = ""] of text.matchAll(ARRAY_CAST)) types[Number(n) - 1] = TYPES[name];
  return types;
}

/** Returns the text (or bytes) that PostgreSQL reads for one parameter; `elementType` is that of an array, if its statement names it. */
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

function quote(text: string): string {
  return SPECIAL.test(text) ? `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"` : `"${text}"`;
}

/**
 * Returns the binary form of a flat array, which the server reads several times faster than text. Undefined if an element does not have the
 * usual form of its type: then the text form is used, and the server reports an error if necessary.
 */
export function encodeArray(values: readonly Param[], { oid, bytesMax, write }: ElementType): Buffer | undefined {
  let size = 20;
  for (let i = 0; i < values.length; i++) size += 4 + bytesMax(values[i] ?? null);
  const bytes = Buffer.allocUnsafe(size);
  const view = new DataView(bytes.buffer, bytes.byteOffset, size);
  const target = { bytes, view };
  let hasNull = 0;
  let end = values.length === 0 ? 12 : 20;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? null;
    let length = NOT_MINE; // which says null to the server
    if (value === null) hasNull = 1;
    else {
      length = write(target, value, end + 4);
      if (length === NOT_MINE) return undefined;
    }
    view.setInt32(end, length);
    end += 4 + Math.max(0, length);
  }
  view.setInt32(0, values.length === 0 ? 0 : 1); // dimensions
  view.setInt32(4, hasNull);
  view.setInt32(8, oid);
  if (values.length > 0) {
    view.setInt32(12, values.length);
    view.setInt32(16, 1); // the first index
  }
  return bytes.subarray(0, end);
}

function writeSmallint({ view }: Target, value: Param, at: number): number {
  if (typeof value !== "number" || (value << 16) >> 16 !== value) return NOT_MINE;
  view.setInt16(at, value);
  return 2;
}

function writeInteger({ view }: Target, value: Param, at: number): number {
  if (typeof value !== "number" || (value | 0) !== value) return NOT_MINE;
  view.setInt32(at, value);
  return 4;
}

function writeBigint({ view }: Target, value: Param, at: number): number {
  const big = typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof big !== "bigint" || big < INT8_MIN || big > INT8_MAX) return NOT_MINE;
  view.setBigInt64(at, big);
  return 8;
}

function writeBoolean({ bytes }: Target, value: Param, at: number): number {
  if (typeof value !== "boolean") return NOT_MINE;
  bytes[at] = value ? 1 : 0;
  return 1;
}

const DASHES = [8, 13, 18, 23];
const DASH = 0x2d;
/** The positions of the two digits of each byte in a UUID's text. */
const DIGITS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const NIBBLES = new Int8Array(128).fill(-1);
for (let digit = 0; digit < 16; digit++) {
  NIBBLES[digit.toString(16).charCodeAt(0)] = digit;
  NIBBLES[digit.toString(16).toUpperCase().charCodeAt(0)] = digit;
}

function writeUuid({ bytes }: Target, value: Param, at: number): number {
  if (typeof value !== "string" || value.length !== 36) return NOT_MINE;
  for (const dash of DASHES) if (value.charCodeAt(dash) !== DASH) return NOT_MINE;
  for (let i = 0; i < 16; i++) {
    const digit = DIGITS[i] ?? 0;
    const byte = nibble(value.charCodeAt(digit)) * 16 + nibble(value.charCodeAt(digit + 1));
    if (Number.isNaN(byte)) return NOT_MINE;
    bytes[at + i] = byte;
  }
  return 16;
}

function nibble(code: number): number {
  const found = NIBBLES[code] ?? -1;
  return found < 0 ? Number.NaN : found;
}

function writeBytes({ bytes }: Target, value: Param, at: number): number {
  if (!(value instanceof Uint8Array)) return NOT_MINE;
  bytes.set(value, at);
  return value.length;
}

let last: { readonly instant: Temporal.Instant; readonly micros: bigint } | undefined;

/** Writes an instant. The rows of a batch mostly have the same instant. */
function writeInstant({ view }: Target, value: Param, at: number): number {
  if (!(value instanceof Temporal.Instant)) return NOT_MINE;
  if (last?.instant !== value) last = { instant: value, micros: microsOf(value) };
  view.setBigInt64(at, last.micros);
  return 8;
}

/** Rounds nanoseconds to the nearest microsecond, as the server does with text. */
function microsOf(instant: Temporal.Instant): bigint {
  let nanos = instant.epochNanoseconds;
  if (nanos % 1_000n !== 0n) nanos = instant.round("microsecond").epochNanoseconds; // which costs more than asking
  return nanos / 1_000n - EPOCH_MICROS;
}

/** Keys and names are short and ASCII; for these a loop is faster than the call. */
const SHORT = 64;

function writeText({ bytes }: Target, value: Param, at: number): number {
  if (typeof value !== "string") return NOT_MINE;
  if (value.length > SHORT) return bytes.write(value, at, "utf8");
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code > 0x7f) return bytes.write(value, at, "utf8");
    bytes[at + i] = code;
  }
  return value.length;
}
