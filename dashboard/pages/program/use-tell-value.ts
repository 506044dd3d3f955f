import { useLanguage } from "../../words/language.tsx";
import { memberWords } from "../../words/program-member-words.ts";
import { useWords } from "../../words/use-words.ts";
import { useDraft } from "./draft-context.ts";
import { tellValue } from "./tell-value.ts";
import { words } from "./words.ts";

/** A value of the document as a text: `tell("earning.rounding", "up")`. */
export function useTellValue(): (member: string, value: unknown) => string {
  const t = useWords(words);
  const m = useWords(memberWords);
  const { language } = useLanguage();
  const { format, time } = useDraft();
  return (member, value) => tellValue(member, value, { t, values: m.value, format, time, language });
}
