import { STORIES } from "../test/fixtures/stories/all.ts";
import { readBalance } from "./balances.ts";
import type { DemoClient } from "./client.ts";
import { waitForOrders } from "./orders.ts";

const LIMIT_MS = 60_000;
const SHOP_CURRENCY = "JPY";

export interface SentStories {
  readonly stories: number;
  readonly messages: number;
  readonly customerIds: readonly string[];
  /** Stories whose result differs from the one computed by hand. */
  readonly faults: readonly string[];
}

/** Delivers every complete story of an order, several at a time, and waits until each has its points. */
export async function sendStories(client: DemoClient): Promise<SentStories> {
  await Promise.all(
    STORIES.map(async ({ messages, orderId }) => {
      for (const [n, message] of messages.entries()) await client.deliver(message, `story-${orderId}-${n}`);
    }),
  );
  // An order in another currency than the shop's is stored and earns nothing.
  const expected = STORIES.map((story) => ({
    ...story,
    points: story.currency === SHOP_CURRENCY ? story.expected.points : 0n,
  }));
  const faults = await waitForOrders(
    client,
    new Map(expected.map(({ orderId, points }) => [orderId, points])),
    LIMIT_MS,
  );
  for (const { name, customerId, points } of expected) {
    const balance = await readBalance(client, customerId);
    if (balance !== points) faults.push(`story "${name}": a balance of ${balance}, expected ${points}`);
  }
  return {
    stories: STORIES.length,
    messages: STORIES.flatMap(({ messages }) => messages).length,
    customerIds: STORIES.map(({ customerId }) => customerId),
    faults,
  };
}
