import { recordedPayloads } from "../test/fixtures/shopify/recorded.ts";
import type { DemoClient } from "./client.ts";

/** Posts every recorded payload of the platform under its topic; returns the number. */
export async function postRecorded(client: DemoClient): Promise<number> {
  const payloads = recordedPayloads();
  for (const { topic, bytes, file } of payloads) await client.deliver({ topic, body: bytes }, `recorded-${file}`);
  return payloads.length;
}
