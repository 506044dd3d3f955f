import { storeEndSchema, storeHeaderSchema } from "./store-header.ts";
import { type CatalogColumn, fieldName, LINE_TYPES, type LineType } from "./store-lines.ts";

const INTEGER = { type: "integer" };
/** An integer; beyond 2^53 it is a string of digits. */
const WHOLE = { anyOf: [{ type: "integer" }, { type: "string", pattern: "^-?[0-9]+$" }] };
const TEXT = { type: "string" };
const ANY = {};

/** The schemas of columns by their type; every other type is a text. */
const VALUES: Readonly<Record<string, object>> = {
  smallint: INTEGER,
  integer: INTEGER,
  bigint: WHOLE,
  numeric: { anyOf: [{ type: "number" }, { type: "string" }] },
  "double precision": { type: "number" },
  boolean: { type: "boolean" },
  json: ANY,
  jsonb: ANY,
  bytea: { type: "string", contentEncoding: "base64" },
  uuid: { type: "string", format: "uuid" },
  date: { type: "string", description: "YYYY-MM-DD" },
  "timestamp with time zone": { type: "string", description: "ISO 8601 in UTC, infinity or -infinity" },
};

function valueSchema(type: string): object {
  if (!type.endsWith("[]")) return VALUES[type] ?? TEXT;
  return { type: "array", items: { anyOf: [valueSchema(type.slice(0, -2)), { type: "null" }] } };
}

function lineSchema(type: string, description: string, data: object): object {
  const properties = { type: { const: type }, data };
  return {
    title: type,
    description,
    type: "object",
    properties,
    required: ["type", "data"],
    additionalProperties: false,
  };
}

function dataSchema(lineType: LineType, columns: readonly CatalogColumn[]): object {
  const secret = new Set(lineType.secretColumns ?? []);
  const properties = Object.fromEntries(
    columns.map((column) => [fieldName(lineType, column.name), valueSchema(column.type)]),
  );
  const required = columns.filter(({ name, isRequired }) => isRequired && !secret.has(name));
  return {
    type: "object",
    properties,
    required: required.map(({ name }) => fieldName(lineType, name)),
    additionalProperties: false,
  };
}

/** Returns the JSON Schema of a line of a file of the whole store, from the columns of each table (docs/export-format.schema.json). */
export function storeFileSchema(columns: ReadonlyMap<string, readonly CatalogColumn[]>): object {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A line of a file of the whole store",
    oneOf: [
      lineSchema("header", "the first line", storeHeaderSchema),
      ...LINE_TYPES.map((lineType) => {
        const secret = lineType.isSecret === true ? "; with the secrets alone" : "";
        return lineSchema(
          lineType.type,
          `${lineType.about}${secret}`,
          dataSchema(lineType, columns.get(lineType.table) ?? []),
        );
      }),
      lineSchema("end", "the last line", storeEndSchema),
    ],
  };
}
