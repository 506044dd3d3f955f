import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { publicPath } from "../../http/public-path.ts";
import { beginOidc } from "../../staff/provider/begin-oidc.ts";
import { finishOidc, type OidcOutcome } from "../../staff/provider/finish-oidc.ts";
import { OIDC_ATTEMPT_S, type OidcIntent } from "../../staff/provider/oidc-attempt.ts";
import { unlinkIdentity } from "../../staff/provider/unlink-identity.ts";
import { cookieScope, deviceTokenOf, oidcAttemptOf, oidcCookie, sessionTokenOf } from "../cookie.ts";
import { oidcQuery, oidcUrlAnswer, sessionDoneAnswer } from "./schema.ts";
import { placeOf, type SessionCookies } from "./session-cookies.ts";

const open = { open: true } as const;
const answers = { hide: true, response: { 200: oidcUrlAnswer } } as const;

/** `/session/oidc` and `/account/oidc`: sign-in, confirmation and linking with the identity provider. */
export function oidcRoutes(app: App, deps: Deps, cookies: SessionCookies): void {
  const begin = async (request: FastifyRequest, reply: FastifyReply, intent: OidcIntent) => {
    const token = intent === "sign_in" ? null : sessionTokenOf(request.headers.cookie);
    const { url, cookie } = await beginOidc(deps, { intent, token });
    reply.header("set-cookie", oidcCookie(cookie, OIDC_ATTEMPT_S, cookieScope(request, deps.config.publicUrl)));
    return { data: { url } };
  };

  app.post("/session/oidc", { config: open, schema: answers }, (request, reply) => begin(request, reply, "sign_in"));

  app.post("/session/confirm/oidc", { config: { permission: "view" }, schema: answers }, (request, reply) =>
    begin(request, reply, "confirm"),
  );

  app.post("/account/oidc", { config: { permission: "view", stepUp: true }, schema: answers }, (request, reply) =>
    begin(request, reply, "link"),
  );

  app.delete(
    "/account/oidc",
    { config: { permission: "view", stepUp: true }, schema: { hide: true, response: { 200: sessionDoneAnswer } } },
    async (request) => {
      await unlinkIdentity(deps, request.staff.uid);
      return { data: {} };
    },
  );

  app.get(
    "/session/oidc/callback",
    { config: open, schema: { hide: true, querystring: oidcQuery } },
    async (request, reply) => {
      const at = request.url.indexOf("?");
      const search = at === -1 ? "" : request.url.slice(at);
      const [cookie, device] = [oidcAttemptOf(request.headers.cookie), deviceTokenOf(request.headers.cookie)];
      const outcome = await finishOidc(deps, { search, cookie, device, ...placeOf(request) });
      if (outcome.kind === "signed_in") cookies.give(request, reply, outcome.started);
      if (!isOfAnother(outcome)) {
        reply.header("set-cookie", oidcCookie("", 0, cookieScope(request, deps.config.publicUrl)));
      }
      return reply.redirect(`${publicPath(deps.config.publicUrl)}${pageAfter(outcome)}`, 302);
    },
  );
}

/** Whether the browser may have started a later attempt, which goes on. */
function isOfAnother(outcome: OidcOutcome): boolean {
  return outcome.kind === "refused" && outcome.why === "state";
}

/** Returns the page that shows the outcome. */
function pageAfter(outcome: OidcOutcome): string {
  const page = outcome.intent === "sign_in" ? "/admin/" : "/admin/account";
  if (outcome.kind === "signed_in") return page;
  return `${page}?oidc=${outcome.kind === "refused" ? outcome.why : outcome.kind}`;
}
