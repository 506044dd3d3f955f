import { readSigningKey } from "../credentials/api-secret-key-queries.ts";
import type { Deps } from "../deps.ts";

/** The store's API secret key as the key of `bearerToken`: HMAC-SHA-256 over its UTF-8 bytes (interface.md 5). */
export async function readTokenKey(deps: Pick<Deps, "db" | "secretBox">): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(await readSigningKey(deps.db, deps));
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}
