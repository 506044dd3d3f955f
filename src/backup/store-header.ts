import { type Static, Type } from "typebox";
import { Value } from "typebox/value";

/** The version of the format that this release writes and reads. */
export const STORE_FORMAT = 1;

const COUNT = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** `data` of the first line of a file of the whole store. */
export const storeHeaderSchema = Type.Object({
  format: Type.Integer({ minimum: 1, description: "The version of the format." }),
  release: Type.String({ maxLength: 100, description: "Of Pointkeeper." }),
  schema: Type.Integer({ minimum: 1, description: "The number of the last migration of the store's database." }),
  taken_at: Type.String({ maxLength: 100, description: "The moment of all lines, by the store's clock, ISO 8601." }),
  with_secrets: Type.Boolean({ description: "Whether sealed secrets and credentials are in the file." }),
  store: Type.Object({
    uid: Type.String({ maxLength: 100, description: "Empty: it was never asked for." }),
    currency: Type.String({ maxLength: 3 }),
    time_zone: Type.String({ maxLength: 100 }),
  }),
  sequences: Type.Record(Type.String({ maxLength: 100 }), Type.String({ pattern: "^[0-9]{1,19}$" }), {
    description: "Where the sequences of ids stand.",
  }),
});
export type StoreHeader = Static<typeof storeHeaderSchema>;

/** `data` of the last line. */
export const storeEndSchema = Type.Object({
  lines: Type.Record(Type.String({ maxLength: 100 }), COUNT, {
    description: "How many lines of each type there are; types without a line are left out.",
  }),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$", description: "Of all bytes before this line." }),
});
export type StoreEnd = Static<typeof storeEndSchema>;

/** Returns the data of the first line, or a text that describes the fault. */
export function readStoreHeader(data: unknown): StoreHeader | string {
  return Value.Check(storeHeaderSchema, data) ? data : faultOf(storeHeaderSchema, data);
}

/** Returns the data of the last line, or a text that describes the fault. */
export function readStoreEnd(data: unknown): StoreEnd | string {
  return Value.Check(storeEndSchema, data) ? data : faultOf(storeEndSchema, data);
}

function faultOf(schema: typeof storeHeaderSchema | typeof storeEndSchema, data: unknown): string {
  const [first] = Value.Errors(schema, data);
  return `data${first?.instancePath.replaceAll("/", ".") ?? ""} ${first?.message ?? "is not what was expected"}`;
}
