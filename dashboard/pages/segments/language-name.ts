import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

/** The BCP 47 code of an unknown language. */
const UNKNOWN = "und";

/** The languages in the form: those of customers of shops in Japan and abroad. */
const OFFERED = ["ja", "en", "zh", "ko", "th", "vi", "id", "fr", "de", "es", "it", "pt", "nl", UNKNOWN];

/** Returns the name of a member's language in the page's language. */
export function useLanguageName(): (code: string) => string {
  const format = useFormat();
  const { unknownLanguage } = useWords(words);
  return (code) => (code === UNKNOWN ? unknownLanguage : format.languageName(code));
}

/** Returns the choices of a form, including the present one. */
export function languageCodes(chosen: string): readonly string[] {
  return chosen === "" || OFFERED.includes(chosen) ? OFFERED : [chosen, ...OFFERED];
}
