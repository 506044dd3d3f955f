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
/** How long a browser may take to answer a challenge. */
export const CHALLENGE_S = 300;

/** What a challenge is for: one that was made for another use does not count. */
export type ChallengeUse = "sign_in" | "confirm" | "register";

/** A challenge as it is sealed: the service keeps none before it is answered, so strangers who ask for many fill nothing. */
export interface Challenge {
  readonly use: ChallengeUse;
  /** Of `confirm` and `register`. */
  readonly staffUid: string | null;
  /** Milliseconds since 1970, by the machine's clock. */
  readonly endsMs: number;
}

/** Where passkeys are made and used: the host and origin of PUBLIC_URL. */
export interface PasskeySite {
  readonly rpId: string;
  readonly origin: string;
}

/** Null: browsers take no passkeys there. They want a name, not an address, and https, but for localhost. */
export function passkeySite(publicUrl: string): PasskeySite | null {
  const { hostname, origin, protocol } = new URL(publicUrl);
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  if (isIP(hostname.replace(/^\[(.*)\]$/, "$1")) !== 0 || (protocol !== "https:" && !isLocal)) return null;
  return { rpId: hostname, origin };
}

export function readChallenge(text: string): Challenge {
  return JSON.parse(text) as Challenge; // cast: this service sealed it
}

/** What is kept of an answered challenge, so that it counts once. */
export function hashChallenge(challenge: string): Buffer {
  return createHash("sha256").update("passkey challenge\0").update(challenge, "utf8").digest();
}

/**
 * Whether a passkey may have been copied: an authenticator that counts its signatures says a number that is not above the last one. Those that
 * do not count always say 0.
 */
export function isCounterBack(before: number, now: number): boolean {
  return (before > 0 || now > 0) && now <= before;
}

/** The challenge that an answer is to; null: what the browser says cannot be read. */
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
