/** The header that names the version by which Shopify answered. */
export const API_VERSION_HEADER = "x-shopify-api-version";

/** Returns the version that a URL of the Admin API names, as 2026-04; null: none. */
export function apiVersionOf(url: string): string | null {
  return /\/admin\/api\/([^/]+)\//.exec(new URL(url).pathname)?.[1] ?? null;
}
