import { createHash, timingSafeEqual } from "node:crypto";
import type { Credential } from "../http/access/credential.ts";
import { SCOPES, type Scope } from "../wire/access.ts";

/** A credential with the hashes of its secrets: two while the store's own is rotated. */
export interface KnownCredential extends Credential {
  readonly secretHashes: readonly Buffer[];
}

/** The key and secret in an `authorization` header (program.md 2). */
export type Offer = { readonly key: string; readonly secret: string } | { readonly key: null; readonly secret: string };

const BASIC = /^basic +([A-Za-z0-9+/_=-]+) *$/i;
const BEARER = /^bearer +(\S+) *$/i;

/** Parses `Basic base64(key:secret)` and `Bearer <secret>`; null for anything else. */
export function parseAuthorization(header: string): Offer | null {
  const basic = BASIC.exec(header)?.[1];
  if (basic !== undefined) {
    const text = Buffer.from(basic, "base64").toString("utf8");
    const colon = text.indexOf(":");
    return colon < 1 ? null : { key: text.slice(0, colon), secret: text.slice(colon + 1) };
  }
  const secret = BEARER.exec(header)?.[1];
  return secret === undefined ? null : { key: null, secret };
}

/** SHA-256: secrets have 256 random bits, so a slow hash would add nothing. */
export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret, "utf8").digest();
}

/** Returns the credential that matches. Every possible secret is compared in constant time. */
export function findCredential(known: readonly KnownCredential[], offer: Offer): KnownCredential | null {
  const hash = hashSecret(offer.secret);
  let found: KnownCredential | null = null;
  for (const credential of known) {
    if (offer.key !== null && offer.key !== credential.key) continue;
    for (const secretHash of credential.secretHashes) {
      if (secretHash.length === hash.length && timingSafeEqual(secretHash, hash)) found = credential;
    }
  }
  return found;
}

/** Returns a secret from 32 random bytes. */
export function secretOf(bytes: Buffer): string {
  return bytes.toString("base64url");
}

/** Returns a credential's key from random bytes. It is not secret, and appears in lists and logs. */
export function keyOf(bytes: Buffer): string {
  return `pk_${bytes.toString("hex")}`;
}

/** Parses `read,write`; undefined means every scope; null: the list contains anything else. */
export function parseScopes(text: string | undefined): readonly Scope[] | null {
  if (text === undefined) return SCOPES;
  const names = text.split(",").map((name) => name.trim());
  const scopes = SCOPES.filter((scope) => names.includes(scope));
  return scopes.length === new Set(names).size ? scopes : null;
}
