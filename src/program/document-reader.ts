import type { Fault } from "../problems.ts";

/** Readers of a JSON document: one pass finds every fault, each with its JSON pointer and what was expected there. */
export interface Reader<T> {
  /** The text after "expected" if a value is refused. */
  readonly expected: string;
  /** Replaces a refused value, so that reading continues to the next fault. */
  readonly placeholder: T;
  /** Returns `REFUSED` for a value of another kind; faults inside the value are added to the place's list. */
  read(value: unknown, place: Place): T | typeof REFUSED;
  /**
   * Returns a value that another release read and stored, with the default of each field that it lacks, at any depth. Validates nothing:
   * existing values stay, including those that only a newer release knows.
   */
  complete(kept: unknown): unknown;
}

export interface Place {
  readonly pointer: string;
  readonly faults: Fault[];
  /** The zone in which plain dates are read. */
  readonly timeZone: string;
}

interface Field<T> {
  readonly reader: Reader<T>;
  /** Used if the field is absent; undefined: the field is required. */
  readonly fallback: T | undefined;
}

type Fields = Readonly<Record<string, Field<unknown>>>;
type Shape<M extends Fields> = { readonly [K in keyof M]: M[K] extends Field<infer T> ? T : never };

/** An element of a list without a fault. */
export interface ListElement<T> {
  readonly value: T;
  readonly pointer: string;
}

export interface ListOptions<T> {
  readonly lengthMax: number;
  /** Adds the faults between elements; `isWhole`: no element was left out because of a fault. */
  readonly check?: (elements: readonly ListElement<T>[], faults: Fault[], isWhole: boolean) => void;
}

export const REFUSED = Symbol("refused");

/** The type of a reader's values. */
export type Infer<R> = R extends Reader<infer T> ? T : never;

/** Reads a value at a place; a refused one adds a fault and returns the placeholder. */
export function readAt<T>(reader: Reader<T>, value: unknown, place: Place): T {
  const answer = reader.read(value, place);
  if (answer !== REFUSED) return answer;
  place.faults.push({ pointer: place.pointer, detail: `expected ${reader.expected}` });
  return reader.placeholder;
}

/** Returns the place of a field or element; `~` and `/` are escaped (RFC 6901). */
export function below(place: Place, name: string | number): Place {
  const token = String(name).replaceAll("~", "~0").replaceAll("/", "~1");
  return { ...place, pointer: `${place.pointer}/${token}` };
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a reader of single values: `accept` returns undefined for a value that it refuses. */
export function leaf<T>(
  expected: string,
  placeholder: T,
  accept: (value: unknown, place: Place) => T | undefined,
): Reader<T> {
  return {
    expected,
    placeholder,
    read: (value, place) => {
      const answer = accept(value, place);
      return answer === undefined ? REFUSED : answer;
    },
    complete: (kept) => kept,
  };
}

/** Integers from `min` to `max`; other values are not converted. */
export function integer(min: number, max: number = Number.MAX_SAFE_INTEGER): Reader<number> {
  return leaf(`an integer from ${min} to ${max}`, min, (value) => {
    if (typeof value !== "number" || !Number.isSafeInteger(value)) return undefined;
    return value >= min && value <= max ? value + 0 : undefined; // + 0 makes -0 an ordinary 0
  });
}

export const flag: Reader<boolean> = leaf("true or false", false, (value) =>
  typeof value === "boolean" ? value : undefined,
);

/** Text of 1 to `lengthMax` code points that PostgreSQL can store. */
export function text(lengthMax: number): Reader<string> {
  return leaf(`a text of 1 to ${lengthMax} characters`, "", (value) => {
    if (typeof value !== "string" || value.trim() === "" || value.includes("\u0000") || !value.isWellFormed())
      return undefined;
    return [...value].length <= lengthMax ? value : undefined;
  });
}

/** One of the given values. */
export function oneOf<const T extends string | number>(first: T, ...others: readonly T[]): Reader<T> {
  const values = [first, ...others];
  const names = values.map((value) => JSON.stringify(value)).join(", ");
  return leaf<T>(`one of ${names}`, first, (value) => values.find((known) => known === value));
}

/** A value, or null. */
export function nullable<T>(reader: Reader<T>): Reader<T | null> {
  return {
    expected: `${reader.expected} or null`,
    placeholder: null,
    read: (value, place) => (value === null ? null : reader.read(value, place)),
    complete: (kept) => reader.complete(kept),
  };
}

/** A list of elements of the same kind; `check` gets those without a fault. */
export function list<T>(reader: Reader<T>, options: ListOptions<T>): Reader<readonly T[]> {
  return {
    expected: `a list of at most ${options.lengthMax}`,
    placeholder: [],
    read: (value, place) => {
      if (!Array.isArray(value) || value.length > options.lengthMax) return REFUSED;
      const sound: ListElement<T>[] = [];
      const values = value.map((element: unknown, index) => {
        const at = below(place, index);
        const faultsBefore = place.faults.length;
        const answer = readAt(reader, element, at);
        if (place.faults.length === faultsBefore) sound.push({ value: answer, pointer: at.pointer });
        return answer;
      });
      options.check?.(sound, place.faults, sound.length === values.length);
      return values;
    },
    complete: (kept) => (Array.isArray(kept) ? kept.map((element: unknown) => reader.complete(element)) : kept),
  };
}

/** An object with any names, each with a value of the same kind. */
export function dictionary<T>(reader: Reader<T>): Reader<Readonly<Record<string, T>>> {
  return {
    expected: "an object",
    placeholder: {},
    read: (value, place) => {
      if (!isRecord(value)) return REFUSED;
      return Object.fromEntries(
        Object.entries(value).map(([name, element]) => [name, readAt(reader, element, below(place, name))]),
      );
    },
    complete: (kept) => {
      if (!isRecord(kept)) return kept;
      return Object.fromEntries(Object.entries(kept).map(([name, element]) => [name, reader.complete(element)]));
    },
  };
}

/** A field without a default. */
export function required<T>(reader: Reader<T>): Field<T> {
  return { reader, fallback: undefined };
}

/** A field with a default. */
export function optional<T>(reader: Reader<T>, fallback: T): Field<T> {
  return { reader, fallback };
}

/** An object with the given fields and no others; the result has the fields in this order. */
export function object<M extends Fields>(fields: M): Reader<Shape<M>> {
  const names = Object.keys(fields);
  return {
    expected: "an object",
    placeholder: shapeOf(fields, (field) => field.fallback ?? field.reader.placeholder),
    read: (value, place) => {
      if (!isRecord(value)) return REFUSED;
      for (const name of Object.keys(value)) {
        if (Object.hasOwn(fields, name)) continue;
        place.faults.push({
          pointer: below(place, name).pointer,
          detail: `unknown field: expected one of ${names.join(", ")}`,
        });
      }
      return shapeOf(fields, (field, name) => {
        if (!Object.hasOwn(value, name) && field.fallback !== undefined) return field.fallback;
        return readAt(field.reader, value[name], below(place, name));
      });
    },
    complete: (kept) => (isRecord(kept) ? completeFields(fields, kept) : kept),
  };
}

function completeFields(fields: Fields, kept: Readonly<Record<string, unknown>>): unknown {
  const known = Object.entries(fields).flatMap(([name, { reader, fallback }]) => {
    if (Object.hasOwn(kept, name)) return [[name, reader.complete(kept[name])] as const];
    return fallback === undefined ? [] : [[name, fallback] as const];
  });
  const unknown = Object.entries(kept).filter(([name]) => !Object.hasOwn(fields, name));
  return Object.fromEntries([...known, ...unknown]);
}

function shapeOf<M extends Fields>(fields: M, pick: (field: Field<unknown>, name: string) => unknown): Shape<M> {
  const entries = Object.entries(fields).map(([name, field]) => [name, pick(field, name)]);
  return Object.fromEntries(entries) as Shape<M>; // cast: fromEntries forgets which name has which type
}
