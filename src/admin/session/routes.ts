import type { Deps } from "../../deps.ts";
import { acceptedLanguage } from "../../http/accepted-language.ts";
import { addressOf } from "../../http/address-key.ts";
import type { App } from "../../http/app-type.ts";
import { writeMessageLanguage } from "../../messages/message-queries.ts";
import { invalid } from "../../problems.ts";
import { readProgram } from "../../program/read-program.ts";
import { readLink } from "../../staff/links/read-link.ts";
import { passkeySite } from "../../staff/passkeys/passkey.ts";
import { choosePassword } from "../../staff/passwords/choose-password.ts";
import { isOidcOn } from "../../staff/provider/identity-queries.ts";
import { givesRoles } from "../../staff/provider/provider-roles.ts";
import { hasStaff } from "../../staff/queries.ts";
import { confirmSession } from "../../staff/sessions/confirm-session.ts";
import { endSession } from "../../staff/sessions/end-session.ts";
import { findSession } from "../../staff/sessions/find-session.ts";
import { readConfirmedUntil } from "../../staff/sessions/read-confirmed-until.ts";
import { lacksSecondFactor } from "../../staff/sessions/session.ts";
import { signOutEverywhere } from "../../staff/sessions/sign-out-everywhere.ts";
import { setUpOwner } from "../../staff/set-up-owner.ts";
import { signIn } from "../../staff/sign-in/sign-in.ts";
import { formatInstant } from "../../time/store-time.ts";
import { deviceTokenOf, isPoll, sessionTokenOf } from "../cookie.ts";
import { selectDefaultViews } from "../saved-views/queries.ts";
import { selectTheme } from "../theme/queries.ts";
import { accountRoutes } from "./account-routes.ts";
import { factorRoutes } from "./factor-routes.ts";
import { oidcRoutes } from "./oidc-routes.ts";
import { passkeyRoutes } from "./passkey-routes.ts";
import {
  choiceAnswer,
  choiceBody,
  confirmBody,
  linkAnswer,
  linkBody,
  type SignInMethods,
  sessionAnswer,
  sessionDoneAnswer,
  setupBody,
  signInBody,
} from "./schema.ts";
import { placeOf, type SessionCookies, sessionCookies } from "./session-cookies.ts";
import { sessionView, signedOutView } from "./view.ts";

const open = { open: true } as const;
/** Also allowed to a person who first has to choose a password or turn on a second factor. */
const signedIn = { permission: "view", before: "password" } as const;
const done = { 200: sessionDoneAnswer } as const;

/** `/session`, `/setup` and `/invitation`: signing in, creating the first person, and accepting an invitation. */
export function sessionAdminRoutes(app: App, deps: Deps): void {
  const cookies = sessionCookies(deps);

  app.get("/session", { config: open, schema: { hide: true, response: { 200: sessionAnswer } } }, async (request) => {
    const token = sessionTokenOf(request.headers.cookie);
    const staff = token === null ? null : await findSession(deps, token, { isPoll: isPoll(request) });
    const [ways, theme] = await Promise.all([signInMethods(deps), selectTheme(deps.db)]);
    if (staff === null) return { data: signedOutView(await hasStaff(deps.db), ways, theme) };
    const needsFactor = lacksSecondFactor(deps.config, staff);
    const program = await readProgram(deps.db);
    const confirmedUntil = await readConfirmedUntil(deps, staff);
    const defaultViews = await selectDefaultViews(deps.db, staff.uid);
    const shown = { needsFactor, signInMethods: ways, theme, confirmedUntil, defaultViews };
    return { data: sessionView(staff, program, shown) };
  });

  app.post(
    "/session",
    { config: open, schema: { hide: true, body: signInBody, response: done } },
    async (request, reply) => {
      const device = deviceTokenOf(request.headers.cookie);
      cookies.give(request, reply, await signIn(deps, { ...request.body, ...placeOf(request), device }));
      return { data: {} };
    },
  );

  app.delete("/session", { config: open, schema: { hide: true, response: done } }, async (request, reply) => {
    const token = sessionTokenOf(request.headers.cookie);
    if (token !== null) await endSession(deps, { token, address: addressOf(request) });
    cookies.end(request, reply);
    return { data: {} };
  });

  app.post(
    "/session/confirm",
    { config: { permission: "view" }, schema: { hide: true, body: confirmBody, response: done } },
    async (request) => {
      const token = sessionTokenOf(request.headers.cookie) ?? "";
      await confirmSession(deps, request.staff, { token, ...request.body });
      return { data: {} };
    },
  );

  app.delete("/sessions", { config: signedIn, schema: { hide: true, response: done } }, async (request, reply) => {
    await signOutEverywhere(deps, request.staff.uid);
    cookies.end(request, reply);
    return { data: {} };
  });

  app.post(
    "/setup",
    { config: open, schema: { hide: true, body: setupBody, response: done } },
    async (request, reply) => {
      const { email, name, password, setup_code: other, code = other } = request.body;
      if (code === undefined && !(await hasStaff(deps.db)))
        throw invalid("/code", "is required: expected the setup code");
      const language = acceptedLanguage(request.headers["accept-language"]);
      await setUpOwner(deps, { code: code ?? "", email, name, password, language, address: addressOf(request) });
      if (language !== null) await deps.db.tx((tx) => writeMessageLanguage(tx, language));
      cookies.give(request, reply, await signIn(deps, { email, password, ...placeOf(request) }));
      return { data: {} };
    },
  );

  accountRoutes(app, deps);
  factorRoutes(app, deps);
  passkeyRoutes(app, deps, cookies);
  oidcRoutes(app, deps, cookies);
  linkRoutes(app, deps, cookies);
}

/** Returns the available ways to sign in. */
async function signInMethods(deps: Pick<Deps, "db" | "config">): Promise<SignInMethods> {
  const { oidc, publicUrl } = deps.config;
  const isOn = await isOidcOn(deps);
  const isOnly = isOn && oidc?.isOnly === true;
  return {
    password: !isOnly,
    passkeys: !isOnly && passkeySite(publicUrl) !== null,
    oidc: isOn ? (oidc?.name ?? null) : null,
    can_unlink: isOn && oidc !== null && !isOnly && !givesRoles(oidc),
  };
}

/**
 * `/invitation`: an invited person chooses a password. The token is sent in the body only: the page has it in its address after `#`, which browsers
 * do not send.
 */
function linkRoutes(app: App, deps: Deps, cookies: SessionCookies): void {
  app.post(
    "/invitation/look",
    { config: open, schema: { hide: true, body: linkBody, response: { 200: linkAnswer } } },
    async (request) => {
      const { name, email, kind, expiresAt } = await readLink(deps, { ...request.body, address: addressOf(request) });
      return { data: { name, email, kind, expires_at: formatInstant(expiresAt) } };
    },
  );

  app.post(
    "/invitation",
    { config: open, schema: { hide: true, body: choiceBody, response: { 200: choiceAnswer } } },
    async (request, reply) => {
      const language = acceptedLanguage(request.headers["accept-language"]);
      const started = await choosePassword(deps, { ...request.body, language, ...placeOf(request) });
      if (started !== null) cookies.give(request, reply, started);
      return { data: { is_signed_in: started !== null } };
    },
  );
}
