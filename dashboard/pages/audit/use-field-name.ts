import { nameOf } from "../../words/name-of.ts";
import { fieldWords } from "../../words/program-field-words.ts";
import { useWords } from "../../words/use-words.ts";
import { auditFieldNames } from "./field-words.ts";

/** What a field that was changed is called; where it has no name, its path. */
export function useFieldName(): (field: string) => string {
  const { label } = useWords(fieldWords);
  const fields = useWords(auditFieldNames);
  const names = { ...fields, ...label };
  return (field) => nameOf(names, field);
}
