import { type BinaryRow, isNull, readNumber } from "../../db/binary-row.ts";

/** The columns of `allotment a` that `factsBytes` reads, in their order. */
export const FACTS_COLUMNS = [
  "customer_uid",
  "version",
  "uid",
  "allotted_at",
  "type",
  "point_value",
  "balance_after",
  "source_key",
  "object",
  "parent",
  "action",
  "app_reference",
  "cascade",
  "origin",
  "reason_type",
  "extends",
  "program_version",
  "note_digest",
  "expires_at",
  "earned_at",
] as const;

/** The position of each column in a row. */
export const FIELD = Object.fromEntries(FACTS_COLUMNS.map((name, i) => [name, i])) as Readonly<
  Record<(typeof FACTS_COLUMNS)[number], number>
>; // cast: the names of the list

const HEX = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0")).join(""));
const UUID_BYTES = 16;
const [QUOTE, COMMA, BACKSLASH, SPACE, ZERO, MINUS] = [0x22, 0x2c, 0x5c, 0x20, 0x30, 0x2d];
const OPENING = Buffer.from('["allotment"');
const NULL = Buffer.from("null");
const [TRUE, FALSE] = [Buffer.from("true"), Buffer.from("false")];
const DAY_US = 86_400_000_000;
/** PostgreSQL counts microseconds from 2000 on. */
const EPOCH_MS = Date.UTC(2000);
/** Each byte of a text may become six, and quotes are added; every other value is short. */
const GROWTH = 6;
const FIXED_BYTES = 1_024;
/** The largest number on which the processor's integers are used. */
const INT_MAX = 0x7fff_ffff;

/** Where facts are written: a buffer, and the place of the next byte. */
export interface FactsOut {
  bytes: Buffer<ArrayBuffer>;
  at: number;
}

function put(out: FactsOut, part: Uint8Array): void {
  const { bytes, at } = out;
  for (let i = 0; i < part.length; i++) bytes[at + i] = part[i] ?? 0;
  out.at = at + part.length;
}

function putDigits(out: FactsOut, value: number, width: number): void {
  const { bytes, at } = out;
  let i = at + width - 1;
  let rest = value;
  for (; rest > INT_MAX; i--) {
    bytes[i] = ZERO + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  for (let left = rest | 0; i >= at; i--) {
    const next = (left / 10) | 0;
    bytes[i] = ZERO + left - next * 10;
    left = next;
  }
  out.at = at + width;
}

function putWhole(out: FactsOut, value: number): void {
  if (value < 0) out.bytes[out.at++] = MINUS;
  const size = Math.abs(value);
  let width = 1;
  for (let limit = 10; size >= limit; limit *= 10) width++;
  putDigits(out, size, width);
}

/** Writes bytes as two hexadecimal digits each. */
function putHex(out: FactsOut, from: Uint8Array, start: number, end: number): void {
  const { bytes } = out;
  let { at } = out;
  for (let i = start; i < end; i++) {
    const digits = (from[i] ?? 0) * 2;
    bytes[at++] = HEX[digits] ?? 0;
    bytes[at++] = HEX[digits + 1] ?? 0;
  }
  out.at = at;
}

function putUuid(out: FactsOut, { bytes, starts }: BinaryRow, field: number): void {
  const start = starts[field] ?? 0;
  out.bytes[out.at++] = QUOTE;
  putHex(out, bytes, start, start + 4);
  for (let i = 4; i < 10; i += 2) {
    out.bytes[out.at++] = MINUS;
    putHex(out, bytes, start + i, start + i + 2);
  }
  out.bytes[out.at++] = MINUS;
  putHex(out, bytes, start + 10, start + UUID_BYTES);
  out.bytes[out.at++] = QUOTE;
}

function putText(out: FactsOut, { bytes: from, starts, lengths }: BinaryRow, field: number): void {
  const start = starts[field] ?? 0;
  const length = lengths[field] ?? -1;
  if (length < 0) {
    put(out, NULL);
    return;
  }
  const { bytes } = out;
  let { at } = out;
  bytes[at++] = QUOTE;
  for (let i = start; i < start + length; i++) {
    const byte = from[i] ?? 0;
    if (byte < SPACE || byte === QUOTE || byte === BACKSLASH) {
      out.at += bytes.write(JSON.stringify(from.toString("utf8", start, start + length)), out.at, "utf8");
      return;
    }
    bytes[at++] = byte;
  }
  bytes[at++] = QUOTE;
  out.at = at;
}

function putDigest(out: FactsOut, { bytes, starts, lengths }: BinaryRow, field: number): void {
  const start = starts[field] ?? 0;
  const length = lengths[field] ?? -1;
  if (length < 0) {
    put(out, NULL);
    return;
  }
  out.bytes[out.at++] = QUOTE;
  putHex(out, bytes, start, start + length);
  out.bytes[out.at++] = QUOTE;
}

function putFlag(out: FactsOut, { bytes, starts, lengths }: BinaryRow, field: number): void {
  put(out, (lengths[field] ?? -1) < 0 ? NULL : bytes[starts[field] ?? 0] === 1 ? TRUE : FALSE);
}

/** The encoded dates of the last days that were written. */
const days = new Map<number, Buffer>();
const DAYS_MAX = 10_000;

function dayText(day: number): Buffer {
  const known = days.get(day);
  if (known !== undefined) return known;
  if (days.size >= DAYS_MAX) days.clear();
  const made = Buffer.from(new Date(EPOCH_MS + day * (DAY_US / 1_000)).toISOString().slice(0, "YYYY-MM-DD".length));
  days.set(day, made);
  return made;
}

function putTime(out: FactsOut, us: number): void {
  const day = Math.floor(us / DAY_US);
  const ofDay = us - day * DAY_US;
  const seconds = Math.floor(ofDay / 1e6);
  out.bytes[out.at++] = QUOTE;
  put(out, dayText(day));
  out.bytes[out.at++] = 0x54; // T
  putDigits(out, Math.floor(seconds / 3_600), 2);
  out.bytes[out.at++] = 0x3a; // :
  putDigits(out, Math.floor(seconds / 60) % 60, 2);
  out.bytes[out.at++] = 0x3a;
  putDigits(out, seconds % 60, 2);
  out.bytes[out.at++] = 0x2e; // .
  putDigits(out, ofDay % 1e6, 6);
  out.bytes[out.at++] = 0x5a; // Z
  out.bytes[out.at++] = QUOTE;
}

function putDates(out: FactsOut, row: BinaryRow): void {
  const fields = [FIELD.expires_at, FIELD.earned_at];
  if (fields.every((field) => isNull(row, field))) return;
  for (const field of fields) {
    out.bytes[out.at++] = COMMA;
    if (isNull(row, field)) put(out, NULL);
    else putTime(out, readNumber(row, field));
  }
}

/** Writes the columns of the facts between the first one and the dates, by their places. */
const WRITERS: readonly ((out: FactsOut, row: BinaryRow, field: number) => void)[] = FACTS_COLUMNS.slice(
  0,
  FIELD.expires_at,
).map((name, field) => {
  if (name === "customer_uid" || name === "uid") return putUuid;
  if (name === "allotted_at") return (out, row) => putTime(out, readNumber(row, field));
  if (name === "cascade" || name === "extends") return putFlag;
  if (name === "note_digest") return putDigest;
  if (name === "program_version") return (out, { bytes, starts }) => putWhole(out, bytes.readInt32BE(starts[field]));
  if (name === "version" || name === "point_value" || name === "balance_after")
    return (out, row) => putWhole(out, readNumber(row, field));
  return putText;
});

/** Returns how many bytes the facts of a row take at most. */
export function factsBytesMax({ lengths }: BinaryRow): number {
  let sum = 0;
  for (let i = 0; i < lengths.length; i++) sum += Math.max(0, lengths[i] ?? 0);
  return FIXED_BYTES + GROWTH * sum;
}

/**
 * Writes an allotment's facts from a binary row as UTF-8, like `factsText` and its SQL; there must be `factsBytesMax`. Writes nothing and returns
 * false if a time or a number exceeds what doubles hold exactly: then use the SQL.
 */
export function putFacts(out: FactsOut, row: BinaryRow): boolean {
  if (!isPlain(row)) return false;
  put(out, OPENING);
  for (let i = 0; i < WRITERS.length; i++) {
    out.bytes[out.at++] = COMMA;
    WRITERS[i]?.(out, row, i);
  }
  putDates(out, row);
  out.bytes[out.at++] = 0x5d; // ]
  return true;
}

const NUMBERS = [FIELD.version, FIELD.point_value, FIELD.balance_after];
const TIMES = [FIELD.allotted_at, FIELD.expires_at, FIELD.earned_at];
/** Doubles hold the microseconds of the years 1715 to 2285 exactly. */
const EXACT_BELOW = 2 ** 53;

/** Whether doubles hold every number and time of a row exactly. */
function isPlain(row: BinaryRow): boolean {
  for (const field of NUMBERS) if (!Number.isSafeInteger(readNumber(row, field))) return false;
  for (const field of TIMES) if (!isNull(row, field) && Math.abs(readNumber(row, field)) >= EXACT_BELOW) return false;
  return true;
}
