import type { ProgramDocument } from "../../../src/program/program-schema.ts";
import { fieldWords } from "../../words/program-field-words.ts";
import { useWords } from "../../words/use-words.ts";
import { useDraft } from "./draft/draft-context.ts";
import { formatValue } from "./format-value.ts";
import { words } from "./words.ts";

/**
 * Returns a function that formats a value of a document: `valueText("earning.rounding", "up")`. Tiers are listed in the order of `tiersOf`, first those of the
 * first document; absent: of the draft.
 */
export function useFormatValue(tiersOf?: readonly ProgramDocument[]): (field: string, value: unknown) => string {
  const t = useWords(words);
  const m = useWords(fieldWords);
  const { document, format, time } = useDraft();
  const tiers = (tiersOf ?? [document]).flatMap(({ tiers }) => tiers.rules.map(({ name }) => name));
  return (field, value) => formatValue(field, value, { t, values: m.value, tiers, format, time });
}
