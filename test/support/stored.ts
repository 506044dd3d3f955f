import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../fixtures/stored");
const FILES = readdirSync(FOLDER);

export type StoredFields = Readonly<Record<string, unknown>>;

/** JSON as a release stored it. */
export const readStored = (file: string) => JSON.parse(readFileSync(join(FOLDER, file), "utf8"));

/** The files of a kind, one for each release that stored another shape of it. */
export const filesOf = (kind: string) => FILES.filter((file) => file.startsWith(`${kind}-`));

export const FUTURE = { ofANewerRelease: { some: ["value"] } };

export const without = (value: StoredFields, name: string) =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));

/** The value with an additional field in each of its objects. */
export function withUnknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknown);
  if (typeof value !== "object" || value === null) return value;
  return { ...Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withUnknown(part)])), ...FUTURE };
}
