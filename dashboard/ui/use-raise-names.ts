import { nameOf } from "../words/name-of.ts";
import { memberWords } from "../words/program-member-words.ts";
import { useWords } from "../words/use-words.ts";

/** What the parts of a program are called that a change raises, by their pointers: `["/rewards/signup"]`. */
export function useRaiseNames(): (pointers: readonly string[]) => string {
  const { label, list } = useWords(memberWords);
  const names = { ...label, ...list };
  return (pointers) => pointers.map((pointer) => nameOf(names, pointer.slice(1).replaceAll("/", "."))).join(", ");
}
