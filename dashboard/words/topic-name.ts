import { TOPIC_NAMES } from "../../src/wire/topic-names.ts";
import { nameOf } from "./name-of.ts";
import { defineWords, useWords } from "./use-words.ts";

const names = defineWords(TOPIC_NAMES);

/** Returns a function that names webhook topics; an unknown one has its own name. */
export function useTopicName(): (topic: string) => string {
  const known = useWords(names);
  return (topic) => nameOf(known, topic);
}
