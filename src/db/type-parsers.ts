import pg from "pg";

/** PostgreSQL type numbers whose text form is read by our own parser. */
const OID = {
  bytea: 17,
  int8: 20,
  date: 1082,
  timestamptz: 1184,
  int8Array: 1016,
  dateArray: 1182,
  timestamptzArray: 1185,
} as const;

interface ReadInstant {
  readonly text: string;
  readonly instant: Temporal.Instant;
}

/** The last two values, newest first: columns and rows often have the same instant, and creating it costs several times the comparison. */
const recent: [ReadInstant | undefined, ReadInstant | undefined] = [undefined, undefined];

/** Parses an instant. `infinity` is an instant that never comes: null. */
function parseInstant(text: string): Temporal.Instant | null {
  const [last, lastButOne] = recent;
  if (last?.text === text) return last.instant;
  if (lastButOne?.text === text) return lastButOne.instant;
  if (text === "infinity" || text === "-infinity") return null;
  const instant = Temporal.Instant.from(text);
  recent[1] = last;
  recent[0] = { text, instant };
  return instant;
}

function arrayOf<T>(parse: (text: string) => T): (text: string) => (T | null)[] {
  const parseTexts = pg.types.getTypeParser(1009 as never) as (text: string) => (string | null)[]; // cast: text[], which the types do not list
  return (text) => parseTexts(text).map((element) => (element === null ? null : parse(element)));
}

const own = new Map<number, (text: string) => unknown>([
  [OID.int8, BigInt],
  [OID.date, (text) => text],
  [OID.timestamptz, parseInstant],
  [OID.int8Array, arrayOf(BigInt)],
  [OID.dateArray, arrayOf((text) => text)],
  [OID.timestamptzArray, arrayOf(parseInstant)],
]);

/** Parses `bigint` as bigint and `timestamptz` as Temporal.Instant (with microseconds); the driver's own parsers lose digits. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text") =>
    own.get(oid) ?? pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig["getTypeParser"], // cast: overloads
};
