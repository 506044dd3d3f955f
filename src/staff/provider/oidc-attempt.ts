/** What an attempt at the provider is for. */
export type OidcIntent = "sign_in" | "link" | "confirm";

/** An attempt, as it is encrypted in a cookie of the browser that started it. */
export interface OidcAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly intent: OidcIntent;
  /** For `link` and `confirm`: the digest of the session's token, in base64url. */
  readonly session: string | null;
  /** Milliseconds since 1970, by the machine's clock. */
  readonly endsMs: number;
}

export const OIDC_ATTEMPT_S = 600;
const PATH = "/admin/api/session/oidc/callback";

/** The address to which the provider redirects people; it has to be registered there. */
export function oidcCallbackUrl(publicUrl: string): string {
  return `${publicUrl}${PATH}`;
}

/** Null where the decrypted text is something else: challenges of passkeys are encrypted too, and anybody can get one. */
export function readOidcAttempt(text: string): OidcAttempt | null {
  const attempt = JSON.parse(text) as Partial<OidcAttempt>; // cast: this service encrypted it
  return attempt.state === undefined || attempt.intent === undefined ? null : (attempt as OidcAttempt); // cast: only an attempt has both
}
