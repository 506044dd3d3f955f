/** The fields of a JSON schema that this module reads. */
export interface PlainSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly PlainSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly pattern?: string;
  readonly format?: string;
  /** Our own keyword: what is expected, in words, if the other fields cannot express it. */
  readonly expected?: string;
  readonly properties?: Readonly<Record<string, PlainSchema>>;
  readonly items?: PlainSchema;
}

/** Returns what a schema expects, in words for the `detail` of a 422: "an integer from 1 to 250", `one of "asc", "desc"`. */
export function expected(schema: PlainSchema | undefined): string {
  if (schema === undefined) return "another value";
  if (schema.expected !== undefined) return schema.expected;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return oneOf(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.anyOf !== undefined) return oneOf(schema.anyOf.map(expected));
  if (typeof schema.type === "object") return schema.type.map((type) => byType({ ...schema, type })).join(" or ");
  return byType(schema);
}

function oneOf(choices: readonly string[]): string {
  const quoted = choices.every((choice) => choice.startsWith('"'));
  return quoted && choices.length > 1 ? `one of ${choices.join(", ")}` : choices.join(" or ");
}

function byType(schema: PlainSchema): string {
  switch (schema.type) {
    case "integer":
      return `an integer${range(schema.minimum, schema.maximum, "")}`;
    case "number":
      return `a number${range(schema.minimum, schema.maximum, "")}`;
    case "string":
      return `a string${range(schema.minLength, schema.maxLength, " characters")}${form(schema)}`;
    case "boolean":
      return "true or false";
    case "array":
      return `an array${range(schema.minItems, schema.maxItems, " elements")}`;
    case "object":
      return schema.minProperties === undefined ? "an object" : `an object of at least ${schema.minProperties} fields`;
    case "null":
      return "null";
    default:
      return "another value";
  }
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const of = unit === "" ? "" : " of";
  if (least !== undefined && most !== undefined) return `${of}${unit === "" ? " from" : ""} ${least} to ${most}${unit}`;
  if (least !== undefined) return `${of} at least ${least}${unit}`;
  if (most !== undefined) return `${of} at most ${most}${unit}`;
  return "";
}

function form(schema: PlainSchema): string {
  if (schema.format !== undefined) return ` in the form ${schema.format}`;
  return schema.pattern === undefined ? "" : ` that matches ${schema.pattern}`;
}
