import { useTopicName } from "../../words/topic-name.ts";

/** A topic in words. */
export function TopicName({ topic }: { topic: string }) {
  return useTopicName()(topic);
}
