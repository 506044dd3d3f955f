import { createHmac } from "node:crypto";
import { createStorefrontKey } from "../../src/credentials/create-storefront-key.ts";
import type { Deps } from "../../src/deps.ts";

export interface StorefrontKey {
  readonly kid: string;
  readonly secret: string;
}

export function makeKey(deps: Deps, name = "shop", canRedeem = true): Promise<StorefrontKey> {
  return createStorefrontKey(deps, { name, canRedeem });
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** The claims of a valid token, from now on. */
export function rightClaims(sub: unknown, more: object = {}): Record<string, unknown> {
  const iat = Math.floor(Date.now() / 1_000);
  return { sub, aud: "pointkeeper-storefront", iat, exp: iat + 600, scope: "read redeem", ...more };
}

/** Signs a token with any header and claims, including ones that a library would refuse. */
export function signToken(
  { kid, secret }: StorefrontKey,
  claims: unknown,
  { header = {}, hash = "sha256" }: { readonly header?: object; readonly hash?: string } = {},
): string {
  const input = `${encoded({ alg: "HS256", typ: "JWT", kid, ...header })}.${encoded(claims)}`;
  return `${input}.${createHmac(hash, secret).update(input).digest("base64url")}`;
}

/** The `authorization` header of a customer. */
export function bearer(key: StorefrontKey, sub: unknown, more: object = {}): string {
  return `Bearer ${signToken(key, rightClaims(sub, more))}`;
}
