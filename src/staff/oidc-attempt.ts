/** What an attempt at the provider is for. */
export type OidcIntent = "sign_in" | "link" | "confirm";

/** An attempt as it is sealed in a cookie of the browser that began it. */
export interface OidcAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly intent: OidcIntent;
  /** Of `link` and `confirm`: the digest of the session's token, in base64url. */
  readonly session: string | null;
  /** Milliseconds since 1970, by the machine's clock. */
  readonly endsMs: number;
}

export const OIDC_ATTEMPT_S = 600;
const PATH = "/admin/api/session/oidc/callback";

/** Where the provider sends people back to; it has to know the address. */
export function oidcCallbackUrl(publicUrl: string): string {
  return `${publicUrl}${PATH}`;
}

/** Null: what was sealed is something else. Challenges of passkeys are sealed too, and shown to anybody. */
export function readOidcAttempt(text: string): OidcAttempt | null {
  const attempt = JSON.parse(text) as Partial<OidcAttempt>; // cast: this service sealed it
  return attempt.state === undefined || attempt.intent === undefined ? null : (attempt as OidcAttempt); // cast: only an attempt has both
}
