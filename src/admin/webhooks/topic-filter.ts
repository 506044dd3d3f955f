import { findTopic, TOPICS, type Topic } from "../../webhooks/topics/index.ts";

/** The topic that a query names; every topic where it names none. */
export function topicsOf(name: string | undefined): readonly Topic[] {
  if (name === undefined) return TOPICS.map((topic) => topic.name);
  const topic = findTopic(name);
  return topic === undefined ? [] : [topic];
}
