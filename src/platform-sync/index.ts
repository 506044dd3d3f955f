import type { PlatformPort, PortDeps } from "./platform-port.ts";
import { openShopify } from "./shopify/open-shopify.ts";
import { openWooCommerce } from "./woocommerce/open-woo-commerce.ts";

/** Adding a platform takes its folder and its line here. Each function opens the port where the settings suffice to call the platform. */
const OPENERS: readonly ((deps: PortDeps) => PlatformPort | undefined)[] = [openShopify, openWooCommerce];

/** The ports of all platforms that can be called. */
export function openPorts(deps: PortDeps): PlatformPort[] {
  return OPENERS.flatMap((open) => open(deps) ?? []);
}

/** The port of a platform; undefined where it cannot be called. */
export function openPort(deps: PortDeps, platform: string): PlatformPort | undefined {
  return openPorts(deps).find((port) => port.platform === platform);
}

/** The platform that holds the coupons' codes: the store's own (POINTKEEPER_PLATFORM) if it can be called, else the first that can. */
export function openCouponPort(deps: PortDeps): PlatformPort | undefined {
  const ports = openPorts(deps);
  return ports.find(({ platform }) => platform === deps.config.platform) ?? ports[0];
}
