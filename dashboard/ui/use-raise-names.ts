import { nameOf } from "../words/name-of.ts";
import { fieldWords } from "../words/program-field-words.ts";
import { defineWords, useWords } from "../words/use-words.ts";

/** What a change may raise that is no field of the document. */
const others = defineWords({
  en: { valid_from: "Start in the past" },
  ja: { valid_from: "過去の適用開始日" },
});

/** What the parts of a program are called that a change raises, by their pointers: `["/rewards/signup"]`. */
export function useRaiseNames(): (pointers: readonly string[]) => string {
  const { label, list } = useWords(fieldWords);
  const names = { ...label, ...list, ...useWords(others) };
  return (pointers) => pointers.map((pointer) => nameOf(names, pointer.slice(1).replaceAll("/", "."))).join(", ");
}
