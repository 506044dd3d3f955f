import type { Env } from "../environment.ts";
import type { PlatformAdapter, PlatformCapability, PlatformSettings } from "./platform.ts";
import { shopify } from "./shopify/adapter.ts";
import { woocommerce } from "./woocommerce/adapter.ts";

/** To add a platform: its folder, and its line here. */
const ADAPTERS = { shopify, woocommerce };

/** Every platform whose deliveries `/intake/<platform>/webhooks` accepts. */
export const PLATFORMS: readonly PlatformAdapter[] = Object.values(ADAPTERS);

/** The settings of every platform, by its name. */
export type PlatformsSettings = {
  readonly [Name in keyof typeof ADAPTERS]: ReturnType<(typeof ADAPTERS)[Name]["readSettings"]>;
};

export function findPlatform(name: string): PlatformAdapter | undefined {
  return PLATFORMS.find(({ platform }) => platform === name);
}

const NO_SETTINGS: PlatformSettings = { secrets: [], shop: undefined };

/** Returns the settings by which deliveries of a platform are checked. */
export function findPlatformSettings(settings: PlatformsSettings, platform: string): PlatformSettings {
  const byName: Readonly<Record<string, PlatformSettings>> = settings;
  return byName[platform] ?? NO_SETTINGS;
}

/** Whether there is a platform with this capability. */
export function platformCan(settings: PlatformsSettings, capability: PlatformCapability): boolean {
  return PLATFORMS.some(({ platform, capabilities }) =>
    capabilities(findPlatformSettings(settings, platform)).includes(capability),
  );
}

/** Reads the settings of every platform. Throws `ConfigError`. */
export function readPlatformSettings(env: Env): PlatformsSettings {
  const settings = PLATFORMS.map(({ platform, readSettings }) => [platform, readSettings(env)]);
  return Object.fromEntries(settings) as PlatformsSettings; // cast: each adapter read its own, under its own name
}
