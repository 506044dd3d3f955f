import { findTopic, type Topic, WEBHOOK_TOPICS } from "../../webhooks/topics/index.ts";

/** Returns the topic that a query names, or every topic if it names none. */
export function topicsOf(name: string | undefined): readonly Topic[] {
  if (name === undefined) return WEBHOOK_TOPICS.map((topic) => topic.name);
  const topic = findTopic(name);
  return topic === undefined ? [] : [topic];
}
