import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// npm run client:types: writes the types of packages/client from openapi.json.
const ROOT = join(import.meta.dirname, "..");
const TARGET = join(ROOT, "packages/client/src/generated.ts");
const INDENT = "  ";

/** The part of a JSON schema that decides its type. */
interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

/** A parameter that the document defines by name. */
interface Reference {
  readonly $ref: string;
}

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}

/** Returns the TypeScript source of the types of an OpenAPI document: its components, and the input and output of each operation. */
export function clientTypes(document: OpenApi): string {
  const schemas = Object.entries(document.components?.schemas ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationText(document, { method, path, operation })),
  );
  return [
    "// Made from openapi.json by `npm run client:types`; a test compares the two.",
    "",
    "/** Schemas that the document names. */",
    "export interface Schemas {",
    ...schemas.map(([name, schema]) => `${INDENT}${keyText(name)}: ${typeText(schema, 1)};`),
    "}",
    "",
    "/** What each operation takes and returns, by its method and its path; `{}` stands for a parameter of the path. */",
    "export interface Operations {",
    ...operations.sort(),
    "}",
    "",
  ].join("\n");
}

function parameterOf({ components }: OpenApi, given: Parameter | Reference): Parameter {
  if (!("$ref" in given)) return given;
  const named = components?.parameters?.[given.$ref.replace("#/components/parameters/", "")];
  if (named === undefined) throw new Error(`${given.$ref} is not in the document`);
  return named;
}

function operationText(
  document: OpenApi,
  { method, path, operation }: { readonly method: string; readonly path: string; readonly operation: Operation },
): string {
  const key = `${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, "{}")}`;
  const parameters = (operation.parameters ?? []).map((given) => parameterOf(document, given));
  const query = parameters.filter((parameter) => parameter.in === "query");
  const fields = query.map(
    ({ name, required, schema }) => `${keyText(name)}${required === true ? "" : "?"}: ${typeText(schema ?? {}, 3)}`,
  );
  const answers = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([, answer]) => typeText(jsonSchema(answer) ?? {}, 2));
  return [
    ...(operation.summary === undefined ? [] : [`${INDENT}/** ${operation.summary} */`]),
    `${INDENT}${JSON.stringify(key)}: {`,
    `${INDENT.repeat(2)}query: ${fields.length === 0 ? "Record<never, never>" : `{ ${fields.join("; ")} }`};`,
    `${INDENT.repeat(2)}body: ${operation.requestBody === undefined ? "undefined" : typeText(jsonSchema(operation.requestBody) ?? {}, 2)};`,
    `${INDENT.repeat(2)}answer: ${[...new Set(answers)].join(" | ") || "unknown"};`,
    `${INDENT}};`,
  ].join("\n");
}

function jsonSchema({ content }: Content): Schema | undefined {
  return content?.["application/json"]?.schema;
}

function typeText(schema: Schema, depth: number): string {
  if (schema.$ref !== undefined) return `Schemas[${JSON.stringify(schema.$ref.replace("#/components/schemas/", ""))}]`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const either = schema.anyOf ?? schema.oneOf;
  if (either !== undefined) return [...new Set(either.map((one) => typeText(one, depth)))].join(" | ");
  if (schema.allOf !== undefined) return schema.allOf.map((one) => `(${typeText(one, depth)})`).join(" & ");
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return schema.properties === undefined ? "unknown" : objectText(schema, depth);
  return types.map((type) => namedTypeText(type, schema, depth)).join(" | ");
}

function namedTypeText(type: string, schema: Schema, depth: number): string {
  if (type === "integer") return "number";
  if (type === "array") return `(${typeText(schema.items ?? {}, depth)})[]`;
  return type === "object" ? objectText(schema, depth) : type;
}

function objectText(schema: Schema, depth: number): string {
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) return `{ [name: string]: ${valueText(schema, depth)} }`;
  const lines = fields.flatMap(([name, field]) => {
    const mark = schema.required?.includes(name) === true ? "" : "?";
    const comment =
      field.description === undefined
        ? []
        : [`/** ${field.description.replaceAll("*/", "* /").replaceAll("\n", " ")} */`];
    return [...comment, `${keyText(name)}${mark}: ${typeText(field, depth + 1)};`];
  });
  return ["{", ...lines.map((line) => INDENT.repeat(depth + 1) + line), `${INDENT.repeat(depth)}}`].join("\n");
}

function valueText(schema: Schema, depth: number): string {
  const pattern = Object.values(schema.patternProperties ?? {})[0];
  if (pattern !== undefined) return typeText(pattern, depth);
  return typeof schema.additionalProperties === "object" ? typeText(schema.additionalProperties, depth) : "unknown";
}

function keyText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

if (process.argv[1] === import.meta.filename) {
  const document: OpenApi = JSON.parse(readFileSync(join(ROOT, "openapi.json"), "utf8"));
  writeFileSync(TARGET, clientTypes(document));
}
