import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

/** Names jobs in the language of the page; one that this page does not know, by its name in the schedule. */
export function useJobName(): (name: string) => string {
  const names: Readonly<Record<string, string>> = useWords(words).names;
  return (name) => names[name] ?? name;
}
