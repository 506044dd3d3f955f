import { cutText, type Fault, pushFault } from "../problems.ts";
import type { EventWarning, WarningContent } from "../wire/event-warnings.ts";
import { decimalText } from "./decimal-text.ts";
import { fieldOf, isList, isObject, type Json, JsonNumber } from "./json-source.ts";
import { QUANTITY_MAX, QUANTITY_PLACES } from "./quantity.ts";

/**
 * A value of a body and its position. Reading an invalid value adds a fault and returns a placeholder, so that one pass finds all faults;
 * the caller that began the reading checks `faults` at its end and drops the result if there is one.
 */
export interface JsonReader {
  /** undefined: absent. */
  readonly value: Json | undefined;
  /** JSON pointer. */
  readonly pointer: string;
  readonly faults: Fault[];
  /** Values that were skipped: invalid, but nothing depends on them. */
  readonly notes: EventWarning[];
}

const INSTANT_MIN = Temporal.Instant.from("1900-01-01T00:00:00Z");
const INSTANT_MAX = Temporal.Instant.from("9999-12-31T00:00:00Z");
/** Replaces instants that could not be parsed. */
const NO_INSTANT = Temporal.Instant.fromEpochMilliseconds(0);
const ID_MAX = 255;
/** Limits a pointer in a fault's detail, so that a long name does not cut off what was expected. */
const SHOWN_POINTER_MAX = 120;
const NOTES_MAX = 20;
const DECIMAL_QUANTITY = new RegExp(`^[0-9]{1,10}(?:\\.[0-9]{1,${QUANTITY_PLACES}}0*)?$`);

/** Returns the reader of a whole body. */
export function beginReading(value: Json, pointer = ""): JsonReader {
  return { value, pointer, faults: [], notes: [] };
}

/** Returns the reader of a field; its value is undefined where there is no such field. */
export function at(reader: JsonReader, name: string): JsonReader {
  return { ...reader, value: fieldOf(reader.value, name), pointer: `${reader.pointer}/${escapePointer(name)}` };
}

/** Adds the fault that a value is missing or is not what was expected. */
export function addFault(reader: JsonReader, expected: string): void {
  const found = reader.value === undefined ? "is missing" : "is not what was expected";
  const { pointer } = reader;
  const shown = pointer === "" ? "the body" : cutText(pointer, SHOWN_POINTER_MAX);
  pushFault(reader.faults, () => ({ pointer, detail: `${shown} ${found}: expected ${expected}` }));
}

/** Notes that a field was skipped, and what was done instead: once for each field, and only the first 20 of a body. */
export function addNote({ notes, pointer }: JsonReader, content: WarningContent, detail: string): void {
  const isKnown = notes.some((note) => note.pointer === pointer);
  if (!isKnown && notes.length < NOTES_MAX) notes.push({ ...content, pointer, detail });
}

/** Reads a value on which nothing depends: if it has faults, it is noted and skipped, and the result is undefined. */
export function readOrNote<T>(reader: JsonReader, read: (reader: JsonReader) => T): T | undefined {
  const alone: JsonReader = { ...reader, faults: [] };
  const value = read(alone);
  const [fault] = alone.faults;
  if (fault === undefined) return value;
  const where = { ...reader, pointer: fault.pointer ?? reader.pointer };
  addNote(where, { kind: "passed_over", values: {} }, `${fault.detail}: passed over`);
  return undefined;
}

/** Whether there is a field of this name, null included. */
export function has(reader: JsonReader, name: string): boolean {
  return fieldOf(reader.value, name) !== undefined;
}

/** Returns undefined if the value is absent: unknown. */
export function ifKnown<T>(reader: JsonReader, read: (reader: JsonReader) => T): T | undefined {
  return reader.value === undefined ? undefined : read(reader);
}

/** Returns undefined if the value is absent or null: for bodies that write null for what they do not state. */
export function ifGiven<T>(reader: JsonReader, read: (reader: JsonReader) => T): T | undefined {
  return reader.value === undefined || reader.value === null ? undefined : read(reader);
}

/** Returns null if the value is null: none. */
export function orNull<T>(read: (reader: JsonReader) => T): (reader: JsonReader) => T | null {
  return (reader) => (reader.value === null ? null : read(reader));
}

/** Checks that the value is an object; its fields are read with `at`. */
export function readObject(reader: JsonReader): void {
  if (!isObject(reader.value)) addFault(reader, "an object");
}

/** Reads each element; returns an empty list if the value is not a list. */
export function readList<T>(reader: JsonReader, read: (element: JsonReader) => T, max = 10_000): T[] {
  if (!isList(reader.value) || reader.value.length > max) {
    addFault(reader, `a list of at most ${max}`);
    return [];
  }
  return reader.value.map((value, i) => read({ ...reader, value, pointer: `${reader.pointer}/${i}` }));
}

/** Like `readList`, but an absent or null list is an empty one. */
export function readListOrNone<T>(reader: JsonReader, read: (element: JsonReader) => T): T[] {
  return ifGiven(reader, (list) => readList(list, read)) ?? [];
}

/** Reads text that a database can store: no U+0000, no lone surrogate. */
export function readText(reader: JsonReader, max = 10_000): string {
  const { value } = reader;
  if (typeof value === "string" && value.isWellFormed() && !value.includes("\0") && value.length <= max) return value;
  addFault(reader, `a text of at most ${max} characters without U+0000 or lone surrogates`);
  return "";
}

/** Reads an opaque id (program.md 1), written as text or as an integer; its digits are kept. */
export function readId(reader: JsonReader): string {
  const { value } = reader;
  if (value instanceof JsonNumber && /^(0|[1-9][0-9]*)$/.test(value.source) && value.source.length <= ID_MAX) {
    return value.source;
  }
  if (typeof value === "string" && value !== "" && value.length <= ID_MAX && /^[!-~]+$/.test(value)) return value;
  addFault(reader, `an id: an integer or a text of 1 to ${ID_MAX} visible ASCII characters`);
  return "";
}

/** Reads true or false, never coerced. */
export function readBoolean(reader: JsonReader): boolean {
  if (typeof reader.value !== "boolean") addFault(reader, "true or false");
  return reader.value === true;
}

/** Reads an integer within bounds, never coerced. */
export function readInteger(reader: JsonReader, min: number, max: number): number {
  const { value } = reader;
  const number =
    value instanceof JsonNumber && /^-?[0-9]{1,15}$/.test(value.source) ? Number(value.source) : Number.NaN;
  if (number >= min && number <= max) return number;
  addFault(reader, `an integer from ${min} to ${max}`);
  return min;
}

/** Reads how many: an integer of at least 0, never coerced. */
export function readQuantity(reader: JsonReader): number {
  return readInteger(reader, 0, QUANTITY_MAX);
}

/** Reads a decimal of at least 0 with at most 6 places, such as 1.5 of a kilogram, written with or without an exponent. Never coerced. */
export function readDecimalQuantity(reader: JsonReader): number {
  const { value } = reader;
  const text = value instanceof JsonNumber ? decimalText(value.source) : "";
  const number = DECIMAL_QUANTITY.test(text) ? Number(text) : Number.NaN;
  if (number >= 0 && number <= QUANTITY_MAX) return number;
  addFault(reader, `a number from 0 to ${QUANTITY_MAX} with at most ${QUANTITY_PLACES} decimal places`);
  return 0;
}

/** Reads an ISO 8601 date-time; without a zone it is UTC (program.md 1). */
export function readInstant(reader: JsonReader): Temporal.Instant {
  const instant = typeof reader.value === "string" ? parseInstant(reader.value) : null;
  if (instant !== null) return instant;
  addFault(reader, "an ISO 8601 date-time from 1900 to 9999");
  return NO_INSTANT;
}

/** Reads one of a list of words. */
export function readWord<T extends string>(reader: JsonReader, words: readonly T[]): T {
  const word = words.find((known) => known === reader.value);
  if (word !== undefined) return word;
  addFault(reader, `one of ${words.join(", ")}`);
  // cast: every caller names at least one word, and a reading with a fault is dropped
  return words[0] as T;
}

/** Adds faults for unknown fields: a misspelt name would otherwise mean "unknown". */
export function refuseOthers(reader: JsonReader, names: readonly string[]): void {
  if (!isObject(reader.value)) return;
  for (const name of Object.keys(reader.value)) {
    if (!names.includes(name)) {
      pushFault(reader.faults, () => {
        const { pointer } = at(reader, cutText(name));
        const shown = cutText(pointer, SHOWN_POINTER_MAX);
        return { pointer, detail: `${shown} is not known here: expected one of ${names.join(", ")}` };
      });
    }
  }
}

type Known<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Returns the object without its undefined fields: what is unknown is absent. */
export function onlyKnown<T extends object>(fields: T): Known<T> {
  // cast: Object.fromEntries forgets names; exactly the undefined fields are gone, as the type says
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Known<T>;
}

function parseInstant(text: string): Temporal.Instant | null {
  if (text.length > 64) return null;
  const zoned = /(Z|[+-][0-9]{2}(:?[0-9]{2})?)$/i.test(text.slice(10));
  try {
    const instant = Temporal.Instant.from(zoned ? text : `${text}Z`);
    const inRange =
      Temporal.Instant.compare(instant, INSTANT_MIN) >= 0 && Temporal.Instant.compare(instant, INSTANT_MAX) <= 0;
    return inRange ? instant : null;
  } catch {
    return null;
  }
}

function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
