import { createHash } from "node:crypto";
import { SignJWT } from "jose";
import type { Deps } from "../deps.ts";

/** Seconds from signing in which a delivery's token is valid (program.md 7). */
const LIFETIME_S = 300;

/** What one token is for: the delivery, its topic, and the very text that is sent. */
export interface TokenSubject {
  deliveryUid: string;
  topic: string;
  body: string;
}

/**
 * The token of one attempt: HS256 with `iss`, `iat`, `exp` (5 minutes), `jti` (the delivery), `topic`, `body_sha256` (hex), so
 * that it cannot carry another body (interface.md 5, program.md 7). `key` is what `readTokenKey` returns.
 */
export async function bearerToken(
  deps: Pick<Deps, "clock" | "config">,
  key: CryptoKey,
  subject: TokenSubject,
): Promise<string> {
  const issuedAtS = Math.floor(deps.clock.now().epochMilliseconds / 1_000);
  const bodySha256 = createHash("sha256").update(subject.body).digest("hex");
  return new SignJWT({ topic: subject.topic, body_sha256: bodySha256 })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuer(deps.config.publicUrl)
    .setIssuedAt(issuedAtS)
    .setExpirationTime(issuedAtS + LIFETIME_S)
    .setJti(subject.deliveryUid)
    .sign(key);
}
