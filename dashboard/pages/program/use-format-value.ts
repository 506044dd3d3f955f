import { fieldWords } from "../../words/program-field-words.ts";
import { useWords } from "../../words/use-words.ts";
import { useDraft } from "./draft-context.ts";
import { formatValue } from "./format-value.ts";
import { words } from "./words.ts";

/** A value of the document as a text: `valueText("earning.rounding", "up")`. */
export function useFormatValue(): (field: string, value: unknown) => string {
  const t = useWords(words);
  const m = useWords(fieldWords);
  const { format, time } = useDraft();
  return (field, value) => formatValue(field, value, { t, values: m.value, format, time });
}
