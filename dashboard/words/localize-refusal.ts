import { refusalInEnglish } from "./refusal-in-english.ts";
import { refusalInJapanese } from "./refusals-ja.ts";

/** Returns a text of the service in the page's language. It is called outside components too, so it reads the language from the page itself. */
export function localizeRefusal(text: string): string {
  return document.documentElement.lang === "ja" ? refusalInJapanese(text) : refusalInEnglish(text);
}
