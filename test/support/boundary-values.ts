import type { Dice } from "../../demo/season/dice.ts";

/** The fields of a JSON schema that a value is made from. */
export interface ValueSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly ValueSchema[];
  readonly oneOf?: readonly ValueSchema[];
  readonly allOf?: readonly ValueSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly patternProperties?: Readonly<Record<string, ValueSchema>>;
  readonly items?: ValueSchema;
}

/** Values of the store that requests name, so that some of them find something. */
export interface KnownValues {
  readonly uuids: readonly string[];
  readonly texts: readonly string[];
  /** Values of fields that no schema describes, by the field's name. */
  readonly byName: Readonly<Record<string, readonly unknown[]>>;
}

const LARGEST = Number.MAX_SAFE_INTEGER;
const NUMBERS = [
  ...[0, 1, -1, 2, 12, 100, 250, 1_000, 32_768, 65_536, 2_147_483_647, 2_147_483_648, -2_147_483_649],
  ...[4_294_967_296, 1e15, LARGEST, -LARGEST, 0.1, 1.5, 1e-7, 36_500],
];

/** At least one for each pattern of a schema, and what programs of all kinds misread. */
const TEXTS = [
  ...[
    "",
    " ",
    "a",
    "0",
    "-1",
    "%",
    "\\",
    "'",
    '"',
    "\u0001",
    "\u{1F600}",
    "\u00e9",
    "\uff71",
    "\uff11",
    "\u2028",
    "\u202e",
  ],
  ...["..", "/", "a/b", "=1+1", "1,2,3", ",", "1-x", "null", "true", "NaN", "Infinity", "1e400", "{{name}}", "\u0130"],
  ...["a@b.c", "a@store.example", "en", "ja", "ja-JP", "und", "JPY", "XXX", "asc", "Desc", "Asia/Tokyo", "#a1b2c3"],
  ...["2026-03", "0000-01", "1000-01", "8999-12", "9999-12", "2026-13", "0000-01-01", "0001-01-01", "9999-12-31"],
  ...["2024-02-29", "2026-02-30", "--02-29", "2026-01-01", "0001-01-01T00:00:00Z", "0000-01-01T00:00:00Z"],
  ...["9999-12-31T23:59:59.999999Z", "-271821-04-20T00:00:00Z", "+275760-09-13T00:00:00Z", "2016-12-31T23:59:60Z"],
  ...["2026-01-01T00:00:00.1234567890Z", "2026-01-01T00:00:00+23:59", "2026-01-01T00:00:00-18:00"],
  ...["0.000001", "999999999999999.999999", "-9007199254740991", "9007199254740993", "9223372036854775808"],
  ...["1".repeat(20), "0".repeat(32), "f".repeat(64), `${"0".repeat(36)}.csv`, "a".repeat(255), "あ".repeat(255)],
  "http://127.0.0.1:9/x",
];
const UUIDS = ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"];
const LONGEST_MADE = 20_000;
const LONG_LIST = 200;
const DEPTH_MAX = 8;

/** Values in place of any value of a request; `undefined`: the field is absent. Numbers of many digits are sent as they are written. */
const ODD_VALUES: readonly unknown[] = [
  ...[undefined, null, true, {}, [], [[]], [null], ["a", "b"], { id: 1 }, ["0000-01", "0000-01"], -0, 0.1, 1e-7, -1],
  ...["", " ", "\u0000", "a\u0000b", "\ud800", "x\udfff", "\u{10FFFF}", "x".repeat(100_000), "あ".repeat(1_001)],
  ...["0000-01", "0000-01-01", "9999-12-31", "2026-02-30", "9999-12-31T23:59:59.999999Z", "-271821-04-20T00:00:00Z"],
  ...["1e400", "9007199254740993", "-9223372036854775809", "0.1000000000000000055511151231257827"].map(JSON.rawJSON),
  ...["9223372036854775807", "99999999999999999999999", "1.0", "%00", "$1", "\n", "a".repeat(256), UUIDS[0]],
];

export function oddValue(dice: Dice): unknown {
  return ODD_VALUES[dice.below(ODD_VALUES.length)];
}

/** Returns a value of the schema, most often at one of its limits; one in thirty is just outside of them. */
export function boundaryValue(schema: ValueSchema, dice: Dice, known: KnownValues, name = "", depth = 0): unknown {
  const named = known.byName[name];
  if (named !== undefined && dice.chance(0.8)) return dice.pick(named);
  if (depth > DEPTH_MAX) return null;
  const inner = (of: ValueSchema, of_name = name) => boundaryValue(of, dice, known, of_name, depth + 1);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return dice.pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return inner(dice.pick(choices));
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map((part) => inner(part)));
  switch (typeof schema.type === "object" ? dice.pick(schema.type) : schema.type) {
    case "null":
      return null;
    case "boolean":
      return dice.chance(0.5);
    case "integer":
    case "number":
      return numberOf(schema, dice);
    case "string":
      return dice.pick(
        schema.format === "uuid" ? [...UUIDS, ...known.uuids, ...known.uuids] : textsOf(schema, dice, known),
      );
    case "array":
      return Array.from({ length: lengthOf(schema, dice) }, () => inner(schema.items ?? {}, ""));
    case "object":
      return objectOf(schema, dice, known, inner);
    default:
      return oddValue(dice);
  }
}

function numberOf(schema: ValueSchema, dice: Dice): number {
  const { minimum: low = -LARGEST, maximum: high = LARGEST } = schema;
  if (dice.chance(1 / 30)) return dice.pick([low - 1, high + 1, low + 0.5]);
  const isWhole = schema.type !== "number";
  return dice.pick([low, high, ...NUMBERS.filter((n) => n >= low && n <= high && (Number.isInteger(n) || !isWhole))]);
}

const fitting = new WeakMap<ValueSchema, readonly string[]>();

function textsOf(schema: ValueSchema, dice: Dice, known: KnownValues): readonly string[] {
  const { minLength: least = 0, maxLength: most = 300, pattern = "" } = schema;
  if (dice.chance(1 / 30)) return ["z".repeat(Math.min(most, LONGEST_MADE) + 1)];
  const form = new RegExp(pattern, "u");
  const fits = (text: string) => text.length >= least && [...text].length <= most && form.test(text);
  let texts = fitting.get(schema);
  if (texts === undefined) {
    const limits = [least, Math.min(most, LONGEST_MADE)].flatMap((length) => ["z".repeat(length), "あ".repeat(length)]);
    texts = [...TEXTS, ...limits].filter(fits);
    if (texts.length === 0) throw new Error(`no text of boundary-values.ts fits ${JSON.stringify(schema)}: add one`);
    fitting.set(schema, texts);
  }
  const ofStore = known.texts.filter(fits);
  return ofStore.length > 0 && dice.chance(0.5) ? ofStore : texts;
}

function lengthOf({ minItems: least = 0, maxItems: most = LONG_LIST }: ValueSchema, dice: Dice): number {
  const length = dice.pick([least, 1, 1, 2, 3, dice.chance(0.1) ? most : 1]);
  return Math.min(Math.max(length, least), most, LONG_LIST);
}

function objectOf(
  { properties = {}, patternProperties = {}, required = [] }: ValueSchema,
  dice: Dice,
  { texts }: KnownValues,
  inner: (of: ValueSchema, name: string) => unknown,
): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [name, of] of Object.entries(properties))
    if (required.includes(name) || dice.chance(0.5)) made[name] = inner(of, name);
  for (const of of Object.values(patternProperties)) made[dice.pick(texts)] = inner(of, "");
  return made;
}
