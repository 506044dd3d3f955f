import type { ImportColumns } from "../../../src/admin/csv/schema.ts";
import { IMPORT_FIELD_NAMES, type ImportField, type UploadKind } from "../../../src/wire/import-fields.ts";
import { defineWords } from "../../words/words.ts";

/** The names of a file's columns. */
export const fieldNames = defineWords({ en: IMPORT_FIELD_NAMES.en, ja: IMPORT_FIELD_NAMES.ja });

/** The required fields that have no column. */
export function missingFields(kind: UploadKind, columns: ImportColumns, matchByEmail = false): ImportField[] {
  const has = (field: ImportField) => columns[field] !== undefined;
  const key = matchByEmail ? "email" : "id";
  const lacking = (...fields: ImportField[]) => fields.filter((field) => !has(field));
  if (kind === "move") return [...(has("id") ? [] : lacking("email")), ...lacking("points")];
  if (kind === "spend") return lacking("customer", "spent");
  if (kind === "history") return lacking("customer", "happened_at", "points");
  if (kind === "customers") return has(key) ? [] : [key];
  const customer: ImportField[] = has("customer") ? [] : ["customer"];
  if (kind === "points") return has("points") ? customer : [...customer, "points"];
  const isSome = has("tier") || has("minimum_tier") || has("skip_next_check");
  return isSome ? customer : [...customer, "tier"];
}
