import type { ShopifyAdmin } from "../../platforms/shopify/settings.ts";

interface Answered {
  /** The version by which Shopify answered last. */
  readonly version: string;
  /** When a warning of another version than the requested one was logged, by the machine's clock; null: never. */
  readonly loggedMs: number | null;
}

/** By which version of its Admin API Shopify answered this process. */
export const ANSWERED_VERSIONS = new WeakMap<ShopifyAdmin, Answered>();
