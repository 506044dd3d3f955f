import type { FastifyRequest } from "fastify";
import type { Deps } from "../../deps.ts";
import { acceptedLanguage } from "../../http/accepted-language.ts";
import type { App } from "../../http/app-type.ts";
import { Problem } from "../../problems.ts";
import { dismissAccessNotices, listAccessNotices } from "../../staff/access-queries.ts";
import { changeStaff } from "../../staff/change-staff.ts";
import { inviteStaff } from "../../staff/links/invite-staff.ts";
import type { LinkMailing } from "../../staff/links/mail-link.ts";
import { resetByLink } from "../../staff/links/reset-by-link.ts";
import { listStaff } from "../../staff/list-staff.ts";
import { removeIdentity } from "../../staff/provider/remove-identity.ts";
import { removeTotp } from "../../staff/second-factor/remove-totp.ts";
import { endOneSession } from "../../staff/sessions/end-one-session.ts";
import { listSessions } from "../../staff/sessions/list-sessions.ts";
import { signOutEverywhere } from "../../staff/sessions/sign-out-everywhere.ts";
import type { Staff } from "../../staff/staff.ts";
import { sessionsAnswer } from "../session/schema.ts";
import { listedSessionView } from "../session/view.ts";
import * as wire from "./schema.ts";
import { linkView, noticeView, personView } from "./view.ts";

const config = { permission: "people.manage" } as const;
const done = { hide: true, params: wire.personParams, response: { 200: wire.personDoneAnswer } } as const;

/** `/people`: the people who may sign in, and their roles. */
export function peopleAdminRoutes(app: App, deps: Deps): void {
  app.get("/people", { config, schema: { hide: true, response: { 200: wire.peopleAnswer } } }, async () => ({
    data: (await listStaff(deps)).map((person) => personView(person, deps.config)),
    next: null,
  }));

  app.post(
    "/people",
    { config, schema: { hide: true, body: wire.inviteBody, response: { 200: wire.madeLinkAnswer } } },
    async (request) => {
      const { email, name, role, show_link: isShown = false } = request.body;
      const mailing = isShown ? null : mailingOf(request);
      const made = await inviteStaff(deps, { email, name, role }, mailing);
      return { data: linkView(deps.config.publicUrl, request, { ...made, email }) };
    },
  );

  app.put("/people/:uid", { config, schema: { ...done, body: wire.personBody } }, async (request) => {
    const { uid } = request.params;
    await changeStaff(deps, uid, request.body);
    return { data: { uid } };
  });

  for (const [action, isDisabled] of [
    ["disable", true],
    ["enable", false],
  ] as const) {
    app.post(`/people/:uid/${action}`, { config, schema: done }, async (request) => {
      const { uid } = request.params;
      await changeStaff(deps, uid, { isDisabled });
      return { data: { uid } };
    });
  }

  app.post(
    "/people/:uid/password",
    {
      config,
      schema: {
        hide: true,
        params: wire.personParams,
        querystring: wire.resetQuery,
        response: { 200: wire.madeLinkAnswer },
      },
    },
    async (request) => {
      const { uid } = request.params;
      keepOwn(request.staff, uid);
      const mailing = request.query.show_link === "true" ? null : mailingOf(request);
      const made = await resetByLink(deps, uid, mailing);
      return { data: linkView(deps.config.publicUrl, request, { uid, ...made }) };
    },
  );

  for (const [what, remove] of [
    ["totp", removeTotp],
    ["identity", removeIdentity],
  ] as const) {
    app.delete(`/people/:uid/${what}`, { config, schema: done }, async (request) => {
      const { uid } = request.params;
      keepOwn(request.staff, uid);
      await remove(deps, uid);
      return { data: { uid } };
    });
  }

  app.delete("/people/:uid/sessions", { config, schema: done }, async (request) => {
    const { uid } = request.params;
    await signOutEverywhere(deps, uid);
    return { data: { uid } };
  });
  personSessionRoutes(app, deps);
  noticeRoutes(app, deps);
}

/** A mail to a person who has chosen no language uses the sender's: the chosen one, or that of their page. */
function mailingOf({ staff, headers }: Pick<FastifyRequest, "staff" | "headers">): LinkMailing {
  return { language: staff.language ?? acceptedLanguage(headers["accept-language"]) };
}

/** `/people/:uid/sessions`: the sessions of a person. */
function personSessionRoutes(app: App, deps: Deps): void {
  app.get(
    "/people/:uid/sessions",
    { config, schema: { hide: true, params: wire.personParams, response: { 200: sessionsAnswer } } },
    async (request) => {
      const sessions = await listSessions(deps, request.params.uid);
      return { data: sessions.map((session) => listedSessionView(session, null)) };
    },
  );

  app.delete(
    "/people/:uid/sessions/:session",
    { config, schema: { ...done, params: wire.personSessionParams } },
    async (request) => {
      const { uid, session } = request.params;
      await endOneSession(deps, { staffUid: uid, uid: session });
      return { data: { uid } };
    },
  );
}

/** `/access-notices`: changes of people's access, shown to each owner until they dismiss them. */
function noticeRoutes(app: App, deps: Deps): void {
  app.get(
    "/access-notices",
    { config, schema: { hide: true, response: { 200: wire.noticesAnswer } } },
    async (request) => ({
      data: (await listAccessNotices(deps, request.staff.uid)).map(noticeView),
    }),
  );

  app.post(
    "/access-notices/dismiss",
    {
      config: { ...config, stepUp: false }, // it grants no access, and the other owners still see the notices
      schema: { hide: true, body: wire.dismissBody, response: { 200: wire.dismissedAnswer } },
    },
    async (request) => {
      await dismissAccessNotices(deps, request.staff.uid, request.body.uids);
      return { data: {} };
    },
  );
}

/** A person changes their own access only at `/account`, which asks for the password or a code. */
function keepOwn(staff: Staff, uid: string): void {
  if (staff.uid === uid) throw new Problem("own_account");
}
