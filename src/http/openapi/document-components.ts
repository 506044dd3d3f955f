/** A part of a JSON document. */
export type DocumentPart = Readonly<Record<string, unknown>>;

/** Returns a title as the name of a component: `Point Allotment` becomes `PointAllotment`. */
export function componentName(title: string): string {
  const words = title.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

export interface Components {
  readonly schemas: Record<string, DocumentPart>;
  /** Names that two different schemas have; the second schema stays inline. */
  readonly doubled: Set<string>;
}

export function createComponents(): Components {
  return { schemas: {}, doubled: new Set() };
}

/**
 * Returns a schema in which each part with a title is replaced by a reference to a component of that name, which is added to `components`. A title
 * that is not the title of an object type (of a parameter, for example) stays.
 */
export function named(schema: unknown, components: Components): unknown {
  if (Array.isArray(schema)) return schema.map((part) => named(part, components));
  if (typeof schema !== "object" || schema === null) return schema;
  const parts = Object.entries(schema).map(([key, part]) => [
    key,
    key === "examples" || key === "example" || key === "enum" ? part : named(part, components),
  ]);
  const whole: DocumentPart = Object.fromEntries(parts);
  if ([whole["type"]].flat().join() === "object,null") {
    return { anyOf: [named({ ...whole, type: "object" }, components), { type: "null" }] };
  }
  const { title, ...rest } = whole;
  if (typeof title !== "string" || !isType(whole)) return plain(whole);
  return reference(componentName(title), plain(rest), components);
}

function reference(name: string, schema: DocumentPart, { schemas, doubled }: Components): DocumentPart {
  const known = schemas[name];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
    doubled.add(name);
    return schema;
  }
  schemas[name] = schema;
  return { $ref: `#/components/schemas/${name}` };
}

function isType({ type, anyOf }: DocumentPart): boolean {
  return type === "object" || type === "array" || anyOf !== undefined;
}

/** Adds the type to an enumeration without one, and formats by the names of fields. */
function plain(schema: DocumentPart): DocumentPart {
  const { properties } = schema;
  const withFormats =
    typeof properties === "object" && properties !== null
      ? { ...schema, properties: Object.fromEntries(Object.entries(properties).map(withFormat)) }
      : schema;
  const values = schema["enum"];
  return Array.isArray(values) && schema["type"] === undefined
    ? { type: typesOf(values), ...withFormats }
    : withFormats;
}

function typesOf(values: readonly unknown[]): string | string[] {
  const types = [...new Set(values.map((value) => (value === null ? "null" : typeof value)))];
  return types.length === 1 ? String(types[0]) : types;
}

const FORMATS: ReadonlyMap<string, string> = new Map([
  ...["inserted_at", "alloted_at", "activated_at", "expired_at", "expires_at"].map(
    (name) => [name, "date-time"] as const,
  ),
  ...["uid", "point_balance_uid", "shop_uid", "tier_uid"].map((name) => [name, "uuid"] as const),
  ...["callback_url", "url"].map((name) => [name, "uri"] as const),
]);

/** Formats are only for the document: the schema that a route validates with stays as it is. */
function withFormat([name, field]: [string, unknown]): [string, unknown] {
  const format = FORMATS.get(name);
  if (format === undefined || typeof field !== "object" || field === null) return [name, field];
  const { type, format: given, ...rest } = field as DocumentPart; // cast: a schema that is an object
  const isText = [type].flat().includes("string");
  return isText && given === undefined ? [name, { type, format, ...rest }] : [name, field];
}
