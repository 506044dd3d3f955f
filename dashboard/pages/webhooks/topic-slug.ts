/** A topic as a part of an address: `point_balance/update` is `point_balance.update`. */
export function topicSlug(topic: string): string {
  return topic.replace("/", ".");
}
