import { type BinaryRow, isNull, readNumber } from "../db/binary-row.ts";

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

const HEX = Buffer.from("0123456789abcdef");
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

/** The output buffer and its length so far. */
interface Out {
  bytes: Buffer;
  at: number;
}

function put(out: Out, part: Uint8Array): void {
  for (let i = 0; i < part.length; i++) out.bytes[out.at++] = part[i] ?? 0;
}

function putDigits(out: Out, value: number, width: number): void {
  let rest = value;
  for (let i = out.at + width - 1; i >= out.at; i--) {
    out.bytes[i] = ZERO + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  out.at += width;
}

function putWhole(out: Out, value: number): void {
  if (value < 0) out.bytes[out.at++] = MINUS;
  const size = Math.abs(value);
  let width = 1;
  for (let limit = 10; size >= limit; limit *= 10) width++;
  putDigits(out, size, width);
}

function putHex(out: Out, byte: number): void {
  out.bytes[out.at++] = HEX[byte >> 4] ?? 0;
  out.bytes[out.at++] = HEX[byte & 15] ?? 0;
}

function putUuid(out: Out, { bytes, starts }: BinaryRow, field: number): void {
  const start = starts[field] ?? 0;
  out.bytes[out.at++] = QUOTE;
  for (let i = 0; i < UUID_BYTES; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) out.bytes[out.at++] = MINUS;
    putHex(out, bytes[start + i] ?? 0);
  }
  out.bytes[out.at++] = QUOTE;
}

function putText(out: Out, { bytes, starts, lengths }: BinaryRow, field: number): void {
  const [start, length] = [starts[field] ?? 0, lengths[field] ?? -1];
  if (length < 0) {
    put(out, NULL);
    return;
  }
  const begin = out.at;
  out.bytes[out.at++] = QUOTE;
  for (let i = start; i < start + length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte < SPACE || byte === QUOTE || byte === BACKSLASH) {
      out.at = begin + out.bytes.write(JSON.stringify(bytes.toString("utf8", start, start + length)), begin, "utf8");
      return;
    }
    out.bytes[out.at++] = byte;
  }
  out.bytes[out.at++] = QUOTE;
}

function putDigest(out: Out, { bytes, starts, lengths }: BinaryRow, field: number): void {
  const [start, length] = [starts[field] ?? 0, lengths[field] ?? -1];
  if (length < 0) {
    put(out, NULL);
    return;
  }
  out.bytes[out.at++] = QUOTE;
  for (let i = start; i < start + length; i++) putHex(out, bytes[i] ?? 0);
  out.bytes[out.at++] = QUOTE;
}

function putFlag(out: Out, { bytes, starts, lengths }: BinaryRow, field: number): void {
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

function putTime(out: Out, us: number): void {
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

function putDates(out: Out, row: BinaryRow): void {
  const fields = [FIELD.expires_at, FIELD.earned_at];
  if (fields.every((field) => isNull(row, field))) return;
  for (const field of fields) {
    out.bytes[out.at++] = COMMA;
    if (isNull(row, field)) put(out, NULL);
    else putTime(out, readNumber(row, field));
  }
}

/** The columns of the facts between the first one and the dates, with the functions that write them. */
const WRITERS: readonly (readonly [field: number, write: (out: Out, row: BinaryRow, field: number) => void])[] =
  FACTS_COLUMNS.slice(0, FIELD.expires_at).map((name, field) => {
    if (name === "customer_uid" || name === "uid") return [field, putUuid];
    if (name === "allotted_at") return [field, (out, row) => putTime(out, readNumber(row, field))];
    if (name === "cascade" || name === "extends") return [field, putFlag];
    if (name === "note_digest") return [field, putDigest];
    if (name === "program_version")
      return [field, (out, { bytes, starts }) => putWhole(out, bytes.readInt32BE(starts[field]))];
    if (name === "version" || name === "point_value" || name === "balance_after")
      return [field, (out, row) => putWhole(out, readNumber(row, field))];
    return [field, putText];
  });

/**
 * Returns a function that encodes an allotment's facts from a binary row as UTF-8, like `factsText` and its SQL. The result is valid until the
 * next call. It returns null if a time or a number exceeds what doubles hold exactly: then use the SQL.
 */
export function createFactsBytes(): (row: BinaryRow) => Buffer | null {
  const out: Out = { bytes: Buffer.alloc(FIXED_BYTES * 4), at: 0 };
  return (row) => {
    const size = FIXED_BYTES + GROWTH * rowBytes(row);
    if (size > out.bytes.length) out.bytes = Buffer.alloc(size);
    if (!isPlain(row)) return null;
    out.at = 0;
    put(out, OPENING);
    for (const [field, write] of WRITERS) {
      out.bytes[out.at++] = COMMA;
      write(out, row, field);
    }
    putDates(out, row);
    out.bytes[out.at++] = 0x5d; // ]
    return out.bytes.subarray(0, out.at);
  };
}

/** Returns the sum of the lengths of a row's values. */
function rowBytes({ lengths }: BinaryRow): number {
  let sum = 0;
  for (const length of lengths) if (length > 0) sum += length;
  return sum;
}

const NUMBERS = [FIELD.version, FIELD.point_value, FIELD.balance_after];
const TIMES = [FIELD.allotted_at, FIELD.expires_at, FIELD.earned_at];
/** Doubles hold the microseconds of the years 1715 to 2285 exactly. */
const EXACT_BELOW = 2 ** 53;

/** Whether doubles hold every number and time of a row exactly. */
function isPlain(row: BinaryRow): boolean {
  if (!NUMBERS.every((field) => Number.isSafeInteger(readNumber(row, field)))) return false;
  return TIMES.every((field) => {
    return isNull(row, field) || Math.abs(readNumber(row, field)) < EXACT_BELOW;
  });
}
