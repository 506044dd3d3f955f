import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { Problem } from "../../problems.ts";
import { makeChallenge } from "../../staff/passkeys/make-challenge.ts";
import { CHALLENGE_S, passkeySite } from "../../staff/passkeys/passkey.ts";
import { signInByPasskey } from "../../staff/sign-in/sign-in-by-passkey.ts";
import { deviceTokenOf } from "../cookie.ts";
import { challengeAnswer, passkeySignInBody, type SignInChallenge, sessionDoneAnswer } from "./schema.ts";
import { placeOf, type SessionCookies } from "./session-cookies.ts";

const open = { open: true } as const;

/** `/session/passkey`: a challenge, and signing in with the answer to it; `/session/confirm/passkey`: confirming with it. */
export function passkeyRoutes(app: App, deps: Deps, cookies: SessionCookies): void {
  const challengeOf = (use: "sign_in" | "confirm", staffUid: string | null): SignInChallenge => {
    const site = passkeySite(deps.config.publicUrl);
    if (site === null) throw new Problem("passkeys_unavailable");
    return { challenge: makeChallenge(deps, { use, staffUid }), rp_id: site.rpId, timeout_ms: CHALLENGE_S * 1_000 };
  };

  app.post(
    "/session/passkey/challenge",
    { config: open, schema: { hide: true, response: { 200: challengeAnswer } } },
    async () => ({ data: challengeOf("sign_in", null) }),
  );

  app.post(
    "/session/passkey",
    { config: open, schema: { hide: true, body: passkeySignInBody, response: { 200: sessionDoneAnswer } } },
    async (request, reply) => {
      const device = deviceTokenOf(request.headers.cookie);
      const attempt = { answer: request.body.passkey, ...placeOf(request), device };
      cookies.give(request, reply, await signInByPasskey(deps, attempt));
      return { data: {} };
    },
  );

  app.post(
    "/session/confirm/passkey",
    { config: { permission: "view" }, schema: { hide: true, response: { 200: challengeAnswer } } },
    async (request) => ({ data: challengeOf("confirm", request.staff.uid) }),
  );
}
