import { useFormat } from "../../ui/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

/** As BCP 47 writes a language that is not known. */
const UNKNOWN = "und";

/** What the form offers: languages that shops of Japan and abroad have customers of. */
const OFFERED = ["ja", "en", "zh", "ko", "th", "vi", "id", "fr", "de", "es", "it", "pt", "nl", UNKNOWN];

/** The name of a member's language in the language of the page. */
export function useLanguageName(): (code: string) => string {
  const format = useFormat();
  const { unknownLanguage } = useWords(words);
  return (code) => (code === UNKNOWN ? unknownLanguage : format.languageName(code));
}

/** The choices of a form, with what is chosen already. */
export function languageCodes(chosen: string): readonly string[] {
  return chosen === "" || OFFERED.includes(chosen) ? OFFERED : [chosen, ...OFFERED];
}
