/** How a value is stored in a jsonb column: bigints as decimal strings, instants as ISO 8601, maps as lists of pairs. */
export interface Codec<T> {
  readonly encode: (value: T) => unknown;
  /** Throws TypeError if the stored value is invalid: a bug, because only `encode` writes it. */
  readonly decode: (stored: unknown) => T;
}

/** A codec of a field that stored objects may lack, because they were written before the field existed. */
export interface DefaultedCodec<T> extends Codec<T> {
  readonly defaultValue: T;
}

/** Throws TypeError for a stored value that is not what was expected. */
export function refuse(expected: string, stored: unknown): never {
  throw new TypeError(`expected ${expected}, found ${JSON.stringify(stored) ?? "nothing"}`);
}

export const textCodec: Codec<string> = {
  encode: (value) => value,
  decode: (stored) => (typeof stored === "string" ? stored : refuse("a string", stored)),
};

export const flagCodec: Codec<boolean> = {
  encode: (value) => value,
  decode: (stored) => (typeof stored === "boolean" ? stored : refuse("a boolean", stored)),
};

export const integerCodec: Codec<number> = {
  encode: (value) => value,
  decode: (stored) =>
    typeof stored === "number" && Number.isSafeInteger(stored) ? stored : refuse("an integer", stored),
};

export const big: Codec<bigint> = {
  encode: (value) => value.toString(),
  decode: (stored) => BigInt(textCodec.decode(stored)),
};

export const instant: Codec<Temporal.Instant> = {
  encode: (value) => value.toString(),
  decode: (stored) => Temporal.Instant.from(textCodec.decode(stored)),
};

export function oneOfCodec<T extends string>(...values: readonly T[]): Codec<T> {
  return {
    encode: (value) => value,
    decode: (stored) => values.find((value) => value === stored) ?? refuse(values.join(" or "), stored),
  };
}

export function nullableCodec<T>(codec: Codec<T>): Codec<T | null> {
  return {
    encode: (value) => (value === null ? null : codec.encode(value)),
    decode: (stored) => (stored === null ? null : codec.decode(stored)),
  };
}

export function listCodec<T>(codec: Codec<T>): Codec<readonly T[]> {
  return {
    encode: (values) => values.map((value) => codec.encode(value)),
    decode: (stored) =>
      Array.isArray(stored) ? stored.map((value: unknown) => codec.decode(value)) : refuse("a list", stored),
  };
}

export function mapOf<T>(codec: Codec<T>): Codec<ReadonlyMap<string, T>> {
  const pairs = listCodec<readonly [string, T]>({
    encode: ([key, value]) => [key, codec.encode(value)],
    decode: (stored) =>
      Array.isArray(stored) ? [textCodec.decode(stored[0]), codec.decode(stored[1])] : refuse("a pair", stored),
  });
  return { encode: (map) => pairs.encode([...map]), decode: (stored) => new Map(pairs.decode(stored)) };
}

/**
 * Returns the codec of a field with the value for stored objects that lack it. Every field that is added to a record after a release has
 * been used needs a default (or must be optional): the service's behaviour before it knew the field.
 */
export function withDefault<T>(codec: Codec<T>, defaultValue: T): DefaultedCodec<T> {
  return { ...codec, defaultValue };
}

type Fields<T> = {
  readonly [K in keyof T]-?: Codec<Exclude<T[K], undefined>> | DefaultedCodec<Exclude<T[K], undefined>>;
};

/**
 * Returns the codec of an object with these fields. A stored object may lack the `optional` ones, which are then absent, and those
 * `withDefault`, which then have their defaults. Fields that only a newer release knows are skipped.
 */
export function record<T extends object>(fields: Fields<T>, optional: readonly (keyof T)[] = []): Codec<T> {
  // cast: Object.keys loses the key type of the literal that was just checked
  const names = Object.keys(fields) as (keyof T & string)[];
  return {
    encode: (value) => {
      const stored: Record<string, unknown> = {};
      for (const name of names) {
        const field = value[name];
        // cast: not undefined, as tested on this line
        if (field !== undefined) stored[name] = fields[name].encode(field as Exclude<T[typeof name], undefined>);
      }
      return stored;
    },
    decode: (stored) => {
      if (typeof stored !== "object" || stored === null) return refuse("an object", stored);
      const found = new Map<string, unknown>(Object.entries(stored));
      const value: Partial<T> = {};
      for (const name of names) {
        const codec = fields[name];
        if (found.has(name)) value[name] = codec.decode(found.get(name));
        else if ("defaultValue" in codec) value[name] = codec.defaultValue;
        else if (!optional.includes(name)) return refuse(`an object with ${name}`, stored);
      }
      // cast: every field that is not optional was set by the loop above
      return value as T;
    },
  };
}

/** Returns a text that is equal exactly if the values are, and that orders any two different values. */
export function canonicalText<T>(codec: Codec<T>, value: T): string {
  return JSON.stringify(codec.encode(value));
}
