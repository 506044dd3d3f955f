import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

/** A topic in words; one that this page does not know, by its name. */
export function TopicName({ topic }: { topic: string }) {
  return useTopicName()(topic);
}

export function useTopicName(): (topic: string) => string {
  const t = useWords(words);
  const names: Readonly<Record<string, string>> = t.topics;
  return (topic) => names[topic] ?? topic;
}
