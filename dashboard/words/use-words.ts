import { useLanguage } from "./language.tsx";
import { defineWords as define, type Wide, type Words } from "./words.ts";

/** See words.ts. */
export const defineWords = define;

/** The texts of a word list in the language of the page. */
export function useWords<T>(words: Words<T>): Wide<T> {
  return words[useLanguage().language];
}
