import { nameOf } from "../../words/name-of.ts";
import { fieldWords } from "../../words/program-field-words.ts";
import { useWords } from "../../words/use-words.ts";
import { auditFieldNames } from "./field-words.ts";
import { auditFilterNames } from "./filter-words.ts";

/** Returns the name of a changed field, or its path if it has no name. A condition of a segment or of a view is named by itself. */
export function useFieldName(): (field: string) => string {
  const { label } = useWords(fieldWords);
  const fields = useWords(auditFieldNames);
  const filters = useWords(auditFilterNames);
  const names: Readonly<Record<string, string>> = { ...filters, ...fields, ...label };
  return (field) => names[field.replace(/^filters?\./, "")] ?? nameOf(names, field);
}
