import { nameOf } from "../../words/name-of.ts";
import { memberWords } from "../../words/program-member-words.ts";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

/** What a member that was changed is called; where it has no name, its path. */
export function useMemberName(): (member: string) => string {
  const { label } = useWords(memberWords);
  const { members } = useWords(words);
  const names = { ...members, ...label };
  return (member) => nameOf(names, member);
}
