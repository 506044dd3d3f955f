import { useLanguage } from "./language.tsx";
import { defineWords as define, type Wide, type Words } from "./words.ts";

/** See words.ts. */
export const defineWords = define;

/** Returns the texts of a word list in the page's language. */
export function useWords<T>(words: Words<T>): Wide<T> {
  return words[useLanguage().language];
}
