import { findTopic, type Topic, WEBHOOK_TOPICS } from "../../webhooks/topics/index.ts";

/** The topic that a query names; every topic where it names none. */
export function topicsOf(name: string | undefined): readonly Topic[] {
  if (name === undefined) return WEBHOOK_TOPICS.map((topic) => topic.name);
  const topic = findTopic(name);
  return topic === undefined ? [] : [topic];
}
