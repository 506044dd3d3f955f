import type { AuditEntry } from "../../../src/admin/audit/schema.ts";
import { IMPORT_FIELD_NAMES } from "../../../src/wire/import-fields.ts";
import { useLanguage } from "../../words/language.tsx";
import { nameOf } from "../../words/name-of.ts";
import { fieldWords } from "../../words/program-field-words.ts";
import { useWords } from "../../words/use-words.ts";
import { auditFieldNames } from "./field-words.ts";
import { auditFilterNames } from "./filter-words.ts";
import { auditFileFilterNames } from "./list-names.ts";
import { words } from "./words.ts";

/**
 * Returns the name of a field that an entry changed, or its path if it has no name. A condition of a segment or of a view is named by itself; a filter of
 * a list's file may have a name that it has in no other entry.
 */
export function useFieldName({ kind, id }: AuditEntry["subject"]): (field: string) => string {
  const { label } = useWords(fieldWords);
  const fields = useWords(auditFieldNames);
  const filters = useWords(auditFilterNames);
  const ofFiles: Readonly<Record<string, object>> = useWords(auditFileFilterNames);
  const ofFile = kind === "list" ? ofFiles[id] : {};
  const names: Readonly<Record<string, string>> = { ...filters, ...fields, ...label, ...ofFile };
  const { columnOf } = useWords(words);
  const columns: Readonly<Record<string, string>> = IMPORT_FIELD_NAMES[useLanguage().language];
  return (field) => {
    const column = columns[field.replace(/^columns\./, "")];
    if (field.startsWith("columns.") && column !== undefined) return columnOf(column);
    return names[field.replace(/^filters?\./, "")] ?? nameOf(names, field);
  };
}
