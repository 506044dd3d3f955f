import { type Static, type TSchema, type TUnsafe, Type } from "typebox";
import { oncePerSchema } from "./once-per-schema.ts";

/** Returns a schema of a single JSON type or null: `type: [..., "null"]`. */
export function Nullable<Of extends TSchema & { readonly type: string }>(of: Of): TUnsafe<Static<Of> | null> {
  return Type.Unsafe<Static<Of> | null>({ ...of, type: [of.type, "null"] });
}

/** Returns the schema of an answer in the form that its serialiser needs: `nullable` fields are written without trying types, including bigints. */
export const toSerializerForm = oncePerSchema((schema: object) =>
  mapParts(schema, (part) => {
    const { type } = part;
    if (!Array.isArray(type) || type.length !== 2 || type[1] !== "null") return part;
    return { ...part, type: type[0], nullable: true };
  }),
);

/** Returns the same schema in the form of OpenAPI 3.1, without our own `expected` (see `expected.ts`). */
export function toDocumentForm(schema: unknown): unknown {
  return mapParts(schema, (part) => {
    const { expected, nullable, ...rest } = part;
    if (nullable === true) return { ...rest, type: [part["type"], "null"] };
    return typeof expected === "string" ? rest : part;
  });
}

type Part = Readonly<Record<string, unknown>>;

function mapParts(schema: unknown, change: (part: Part) => Part): unknown {
  if (Array.isArray(schema)) return schema.map((part) => mapParts(part, change));
  if (typeof schema !== "object" || schema === null) return schema;
  const fields = Object.entries(schema).map(([name, part]) => [name, mapParts(part, change)]);
  return change(Object.fromEntries(fields));
}
