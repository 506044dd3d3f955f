import type { PlatformAdapter } from "./platform.ts";
import { shopify } from "./shopify/adapter.ts";

/** Every platform whose deliveries `/intake/<platform>/webhooks` takes. To add one: its folder, and its line here. */
export const PLATFORMS: readonly PlatformAdapter[] = [shopify];

export function findPlatform(name: string): PlatformAdapter | undefined {
  return PLATFORMS.find(({ platform }) => platform === name);
}
