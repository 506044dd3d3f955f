import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";
import type { Topic } from "../topics/index.ts";

/** Seconds for which a delivery's token is valid after signing (program.md 7). */
const LIFETIME_S = 300;
const TOKEN_HEAD = base64url({ alg: "HS256", typ: "JWT" });
const SECRET_PREFIX = "whsec_";

/** The data that one attempt signs: the delivery, its topic, the exact text that is sent, and the time. */
export interface SignedDelivery {
  readonly uid: string;
  readonly topic: Topic;
  readonly body: string;
  readonly at: Temporal.Instant;
}

/** Returns the store's API secret key as the key of `bearerToken`: HMAC-SHA-256 over its UTF-8 bytes (interface.md 5). */
export function tokenKey(secret: string): KeyObject {
  return createSecretKey(secret, "utf8");
}

/** Returns a subscription's secret (`whsec_` and base64) as the key of `webhookSignature`. */
export function signatureKey(secret: string): KeyObject {
  return createSecretKey(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret, "base64");
}

/**
 * Returns the token of one attempt: a JWT (RFC 7519) signed with HS256, with `iss`, `iat`, `exp` (5 minutes), `jti` (the delivery), `topic` and
 * `body_sha256` (hex), so that it is valid only for this body (interface.md 5, program.md 7).
 */
export function bearerToken(key: KeyObject, issuer: string, { uid, topic, body, at }: SignedDelivery): string {
  const iat = epochSeconds(at);
  const body_sha256 = hash("sha256", body, "hex");
  const claims = { topic, body_sha256, iss: issuer, iat, exp: iat + LIFETIME_S, jti: uid };
  const signed = `${TOKEN_HEAD}.${base64url(claims)}`;
  return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
}

/** Returns the headers of Standard Webhooks with a signature for each key: two during a rotation. */
export function webhookHeaders(keys: readonly KeyObject[], { uid, body, at }: SignedDelivery): Record<string, string> {
  const timestamp = String(epochSeconds(at));
  const signed = `${uid}.${timestamp}.${body}`;
  return {
    "webhook-id": uid,
    "webhook-timestamp": timestamp,
    "webhook-signature": keys.map((key) => `v1,${createHmac("sha256", key).update(signed).digest("base64")}`).join(" "),
  };
}

function epochSeconds(at: Temporal.Instant): number {
  return Math.floor(at.epochMilliseconds / 1_000);
}

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
