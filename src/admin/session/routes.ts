import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { readProgram } from "../../shop/read-program.ts";
import { endSession } from "../../staff/end-session.ts";
import { findSession } from "../../staff/find-session.ts";
import { hasStaff } from "../../staff/queries.ts";
import { SESSION_SECONDS } from "../../staff/session.ts";
import { setUpOwner } from "../../staff/set-up-owner.ts";
import { signIn } from "../../staff/sign-in.ts";
import { signOutEverywhere } from "../../staff/sign-out-everywhere.ts";
import { endedCookie, isPoll, sessionCookie, sessionTokenOf } from "../cookie.ts";
import { accountRoutes } from "./account-routes.ts";
import { doneAnswer, sessionAnswer, setupBody, signInBody } from "./schema.ts";
import { sessionView } from "./view.ts";

const open = { open: true } as const;

/** `/session` and `/setup`: who signs in, and the first person. */
export function sessionAdminRoutes(app: App, deps: Deps): void {
  // A proxy tells how it was asked: what came by TLS gets a cookie for TLS, whatever PUBLIC_URL says.
  const isSecure = ({ protocol }: { protocol: string }) =>
    protocol === "https" || deps.config.publicUrl.startsWith("https:");

  app.get("/session", { config: open, schema: { hide: true, response: { 200: sessionAnswer } } }, async (request) => {
    const token = sessionTokenOf(request.headers.cookie);
    const staff = token === null ? null : await findSession(deps, token, { isPoll: isPoll(request) });
    const isSetUp = staff !== null || (await hasStaff(deps.db));
    return { data: sessionView(staff, await readProgram(deps.db), isSetUp) };
  });

  app.post(
    "/session",
    { config: open, schema: { hide: true, body: signInBody, response: { 200: doneAnswer } } },
    async (request, reply) => {
      const token = await signIn(deps, { ...request.body, address: request.ip });
      reply.header("set-cookie", sessionCookie(token, SESSION_SECONDS, isSecure(request)));
      return { data: {} };
    },
  );

  app.delete(
    "/session",
    { config: open, schema: { hide: true, response: { 200: doneAnswer } } },
    async (request, reply) => {
      const token = sessionTokenOf(request.headers.cookie);
      if (token !== null) await endSession(deps, { token, address: request.ip });
      reply.header("set-cookie", endedCookie(isSecure(request)));
      return { data: {} };
    },
  );

  app.delete(
    "/sessions",
    { config: { permission: "view" }, schema: { hide: true, response: { 200: doneAnswer } } },
    async (request, reply) => {
      await signOutEverywhere(deps, request.staff.uid);
      reply.header("set-cookie", endedCookie(isSecure(request)));
      return { data: {} };
    },
  );

  app.post(
    "/setup",
    { config: open, schema: { hide: true, body: setupBody, response: { 200: doneAnswer } } },
    async (request, reply) => {
      const { email, password } = request.body;
      await setUpOwner(deps, { ...request.body, address: request.ip });
      const token = await signIn(deps, { email, password, address: request.ip });
      reply.header("set-cookie", sessionCookie(token, SESSION_SECONDS, isSecure(request)));
      return { data: {} };
    },
  );

  accountRoutes(app, deps);
}
