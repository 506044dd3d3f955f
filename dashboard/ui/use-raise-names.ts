import { nameOf } from "../words/name-of.ts";
import { fieldWords } from "../words/program-field-words.ts";
import { defineWords, useWords } from "../words/use-words.ts";

/** Names of raises that are not a field of the document. */
const others = defineWords({
  en: { valid_from: "Start in the past" },
  ja: { valid_from: "過去の適用開始日" },
});

/** Returns a function that names the raised parts of a program, given their pointers: `["/rewards/signup"]`. */
export function useRaiseNames(): (pointers: readonly string[]) => string {
  const { label, list } = useWords(fieldWords);
  const names = { ...label, ...list, ...useWords(others) };
  return (pointers) => pointers.map((pointer) => nameOf(names, pointer.slice(1).replaceAll("/", "."))).join(", ");
}
