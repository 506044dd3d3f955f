import type { FastifySchemaCompiler } from "fastify";
import type { TLocalizedValidationError } from "typebox/error";
import { Compile } from "typebox/schema";
import { type Fault, Problem } from "../problems.ts";
import { pointerPart } from "./bodies/json-text.ts";
import { expected, type PlainSchema } from "./expected.ts";
import { oncePerSchema, onFirstCall } from "./once-per-schema.ts";

/**
 * Compiles the validators of routes. Bodies are never coerced (program.md 1). Query and path fields with a numeric schema are parsed from
 * their digits. Top-level fields with a uuid, of bodies too, are put into lower case, as the database writes it: code compares uids as text, and natural
 * keys contain them. Uuids in arrays stay as they are. A failure is the 422 of program.md 1, naming each field and what was expected.
 */
export const compileValidator: FastifySchemaCompiler<PlainSchema> = ({ schema, httpPart }) =>
  httpPart === "body" ? bodyValidatorOf(schema) : partValidatorOf(schema);

/** Returns the validator of a body for its route's schema. */
export const bodyValidatorOf = oncePerSchema((schema: PlainSchema) => onFirstCall(() => validatorOf(schema, true)));
const partValidatorOf = oncePerSchema((schema: PlainSchema) => onFirstCall(() => validatorOf(schema, false)));

/** Checks a value. Returns the value to use, or the refusal. */
export type Validate = (given: unknown) => { readonly value: unknown } | { readonly error: Problem };

function validatorOf(schema: PlainSchema, isBody: boolean): Validate {
  const numeric = isBody ? [] : fieldsOf(schema, ({ type }) => type === "integer" || type === "number");
  const uuids = fieldsOf(schema, ({ format }) => format === "uuid");
  const validator = Compile(checkable(schema));
  const isObject = schema.type === "object";
  return (given: unknown) => {
    const value = given === null && isBody && isObject ? {} : given;
    for (const name of numeric) readNumber(value, name);
    if (validator.Check(value)) {
      for (const name of uuids) lowerCase(value, name);
      return { value };
    }
    const [, faults] = validator.Errors(value);
    return { error: new Problem("invalid", { faults: describe(schema, faults, isBody) }) };
  };
}

function fieldsOf(schema: PlainSchema, matches: (field: PlainSchema) => boolean): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => (matches(field) ? [name] : []));
}

const DIGITS = /^-?\d{1,15}$/;

function readNumber(value: unknown, name: string): void {
  if (typeof value !== "object" || value === null) return;
  const text: unknown = Reflect.get(value, name);
  if (typeof text === "string" && DIGITS.test(text)) Reflect.set(value, name, Number(text));
}

function lowerCase(value: unknown, name: string): void {
  const text: unknown = Reflect.get(Object(value), name);
  if (typeof text === "string") Reflect.set(Object(value), name, text.toLowerCase());
}

/**
 * Returns the schema as it is validated: lengths of strings count code points (program.md 1), while the validator's own `maxLength` counts characters
 * as a reader sees them.
 */
function checkable(schema: PlainSchema): PlainSchema {
  return JSON.parse(JSON.stringify(schema), (_key, part: unknown) => {
    if (typeof part !== "object" || part === null || !("type" in part) || part.type !== "string" || "pattern" in part)
      return part;
    const { minLength = 0, maxLength, ...rest } = part as PlainSchema; // cast: a part of a schema whose type is "string"
    if (minLength === 0 && maxLength === undefined) return part;
    return { ...rest, pattern: `^[\\s\\S]{${minLength},${maxLength ?? ""}}$` };
  });
}

/** Returns one fault for each place in the value; among the alternatives of one place, the outermost schema is described. */
function describe(schema: PlainSchema, faults: readonly TLocalizedValidationError[], isBody: boolean): Fault[] {
  const byPlace = new Map<string, Fault>();
  for (const fault of faults) {
    for (const [place, detail] of placesOf(schema, fault)) {
      byPlace.set(place, isBody ? { pointer: place, detail } : { parameter: place.slice(1), detail });
    }
  }
  return [...byPlace.values()];
}

function placesOf(root: PlainSchema, fault: TLocalizedValidationError): [place: string, detail: string][] {
  const schema = schemaAt(root, fault.schemaPath);
  if (fault.keyword === "required") {
    return fault.params.requiredProperties.map((name) => [
      `${fault.instancePath}/${pointerPart(name)}`,
      `is required: expected ${expected(schema?.properties?.[name])}`,
    ]);
  }
  if (fault.keyword === "additionalProperties") {
    return fault.params.additionalProperties.map((name) => [
      `${fault.instancePath}/${pointerPart(name)}`,
      "is not known here",
    ]);
  }
  return [[fault.instancePath, `expected ${expected(schema)}`]];
}

/** Follows a path such as `#/properties/reason/anyOf/0`. */
function schemaAt(root: PlainSchema, path: string): PlainSchema | undefined {
  let part: unknown = root;
  for (const name of path.split("/").slice(1)) {
    if (typeof part !== "object" || part === null) return undefined;
    part = Reflect.get(part, name.replaceAll("~1", "/").replaceAll("~0", "~"));
  }
  return typeof part === "object" && part !== null ? part : undefined;
}
