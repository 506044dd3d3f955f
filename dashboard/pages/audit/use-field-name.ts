import { nameOf } from "../../words/name-of.ts";
import { fieldWords } from "../../words/program-field-words.ts";
import { useWords } from "../../words/use-words.ts";
import { auditFieldNames } from "./field-words.ts";

/** Returns the name of a changed field, or its path if it has no name. */
export function useFieldName(): (field: string) => string {
  const { label } = useWords(fieldWords);
  const fields = useWords(auditFieldNames);
  const names = { ...fields, ...label };
  return (field) => nameOf(names, field);
}
