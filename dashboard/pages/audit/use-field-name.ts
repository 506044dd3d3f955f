import type { AuditEntry } from "../../../src/admin/audit/schema.ts";
import { nameOf } from "../../words/name-of.ts";
import { fieldWords } from "../../words/program-field-words.ts";
import { useWords } from "../../words/use-words.ts";
import { auditFieldNames } from "./field-words.ts";
import { auditFilterNames } from "./filter-words.ts";
import { auditFileFilterNames } from "./list-names.ts";

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
  return (field) => names[field.replace(/^filters?\./, "")] ?? nameOf(names, field);
}
