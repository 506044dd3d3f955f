import type { SecretBox } from "../credentials/secret-box.ts";

/** How long a URL is valid after signing (interface.md 6.4): 1 hour. */
const LIFETIME_S = 3_600;

/** The content of a URL in addition to the export's uid. */
export interface SignedQuery {
  /** Seconds since 1970. */
  readonly expires: string;
  readonly signature: string;
}

/**
 * Returns the query of an export's URL, signed now. The signature is the sealed text of uid and time: the box authenticates what it seals,
 * every node with the secret key can open it, and nothing has to be stored.
 */
export function signExport(box: SecretBox, uid: string, now: Temporal.Instant): SignedQuery {
  const expires = String(Math.floor(now.epochMilliseconds / 1_000) + LIFETIME_S);
  return { expires, signature: box.seal(signedText(uid, expires)).toString("base64url") };
}

/** Returns why a URL does not give access to its file: not signed by us, or expired; null: it does. */
export function refuseSignature(
  box: SecretBox,
  { uid, expires, signature }: SignedQuery & { readonly uid: string },
  now: Temporal.Instant,
): "forbidden" | "gone" | null {
  if (!isSealed(box, signature, signedText(uid, expires))) return "forbidden";
  return now.epochMilliseconds < Number(expires) * 1_000 ? null : "gone";
}

function isSealed(box: SecretBox, signature: string, text: string): boolean {
  try {
    return box.open(Buffer.from(signature, "base64url")) === text;
  } catch {
    return false;
  }
}

function signedText(uid: string, expires: string): string {
  return `export/${uid}/${expires}`;
}
