import * as oidc from "openid-client";
import type { Deps } from "../../deps.ts";
import { hashToken, randomToken } from "../sessions/session.ts";
import { OIDC_ATTEMPT_S, type OidcAttempt, type OidcIntent, oidcCallbackUrl } from "./oidc-attempt.ts";
import { openProvider } from "./open-provider.ts";

export interface BegunOidc {
  /** The address of the provider to which the browser is redirected. */
  readonly url: string;
  /** The encrypted attempt, for a cookie of this browser only. */
  readonly cookie: string;
}

/**
 * Starts an attempt at the provider: authorization code with PKCE, a state and a nonce, which the browser keeps encrypted. `token`: that of the
 * session to link or to confirm; to confirm, the provider has to authenticate the person again. 409 and 503 of `openProvider`.
 */
export async function beginOidc(
  deps: Pick<Deps, "db" | "config" | "log" | "random" | "secretBox">,
  { intent, token }: { readonly intent: OidcIntent; readonly token: string | null },
): Promise<BegunOidc> {
  const provider = await openProvider(deps);
  const attempt: OidcAttempt = {
    state: randomToken(deps.random.bytes(32)),
    nonce: randomToken(deps.random.bytes(32)),
    verifier: randomToken(deps.random.bytes(48)),
    intent,
    session: token === null ? null : hashToken(token).toString("base64url"),
    endsMs: Date.now() + OIDC_ATTEMPT_S * 1_000,
  };
  const { scopes = "openid", acrs = [], sessionHours = 1 } = deps.config.oidc ?? {};
  const url = oidc.buildAuthorizationUrl(provider, {
    redirect_uri: oidcCallbackUrl(deps.config.publicUrl),
    scope: scopes,
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: "S256",
    ...(acrs.length === 0 ? {} : { acr_values: acrs.join(" ") }),
    // makes the provider report when it last authenticated the person
    ...(intent === "confirm" ? { prompt: "login", max_age: "0" } : { max_age: String(sessionHours * 3_600) }),
  });
  return { url: url.href, cookie: deps.secretBox.seal(JSON.stringify(attempt)).toString("base64url") };
}
