import { type Topic, WEBHOOK_TOPICS } from "../topics/index.ts";

/** Returns the body of a test: the topic's sample with its customer under this store's field, and a field `test` that no real body has. */
export function testPayload(topic: Topic, idField: string): string {
  const sample: Readonly<Record<string, unknown>> = WEBHOOK_TOPICS.find(({ name }) => name === topic)?.sample ?? {};
  const { customer } = sample;
  const named = isCustomer(customer) ? { customer: { [idField]: customer.storefront_id } } : {};
  return JSON.stringify({ ...sample, ...named, test: true });
}

function isCustomer(value: unknown): value is { storefront_id: unknown } {
  return typeof value === "object" && value !== null && "storefront_id" in value;
}
