import { createHash } from "node:crypto";
import { isIP } from "node:net";

/** A passkey of a person, as the account page shows it. */
export interface Passkey {
  readonly uid: string;
  readonly name: string;
  readonly isSynced: boolean;
  readonly createdAt: Temporal.Instant;
  readonly usedAt: Temporal.Instant | null;
  readonly suspectedAt: Temporal.Instant | null;
}

export const PASSKEYS_MAX = 10;
/** How long a browser may take to respond to a challenge, in seconds. */
export const CHALLENGE_S = 300;

/** The use of a challenge; a challenge for another use is not accepted. */
export type ChallengeUse = "sign_in" | "confirm" | "register";

/** A challenge as it is encrypted. The service stores none before the response, so requesting many of them fills no table. */
export interface Challenge {
  readonly use: ChallengeUse;
  /** Only for `confirm` and `register`. */
  readonly staffUid: string | null;
  /** Milliseconds since 1970, by the machine's clock. */
  readonly endsMs: number;
}

/** The site of the passkeys: host and origin of PUBLIC_URL. */
export interface PasskeySite {
  readonly rpId: string;
  readonly origin: string;
}

/** Null where browsers support no passkeys: they require a host name, not an IP address, and https, except for localhost. */
export function passkeySite(publicUrl: string): PasskeySite | null {
  const { hostname, origin, protocol } = new URL(publicUrl);
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  if (isIP(hostname.replace(/^\[(.*)\]$/, "$1")) !== 0 || (protocol !== "https:" && !isLocal)) return null;
  return { rpId: hostname, origin };
}

export function readChallenge(text: string): Challenge {
  return JSON.parse(text) as Challenge; // cast: this service encrypted it
}

/** The digest that is stored of a challenge after its response, so that it is accepted only once. */
export function hashChallenge(challenge: string): Buffer {
  return createHash("sha256").update("passkey challenge\0").update(challenge, "utf8").digest();
}

/**
 * Whether a passkey may have been copied: an authenticator that counts its signatures reports a number that is not above the last one.
 * Authenticators that do not count always report 0.
 */
export function isCounterBack(before: number, now: number): boolean {
  return (before > 0 || now > 0) && now <= before;
}

/** The challenge that a response is for; null where the response cannot be parsed. */
export function challengeOf(clientDataJson: string): string | null {
  try {
    const { challenge }: { challenge?: unknown } = JSON.parse(
      Buffer.from(clientDataJson, "base64url").toString("utf8"),
    );
    return typeof challenge === "string" ? challenge : null;
  } catch {
    return null;
  }
}
