import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { readProgram } from "../../program/read-program.ts";
import { addPasskey } from "../../staff/passkeys/add-passkey.ts";
import { beginPasskey } from "../../staff/passkeys/begin-passkey.ts";
import { countRecoveryCodes, selectPasskeysOf } from "../../staff/passkeys/passkey-queries.ts";
import { removePasskey } from "../../staff/passkeys/remove-passkey.ts";
import { renamePasskey } from "../../staff/passkeys/rename-passkey.ts";
import { makeRecoveryCodes } from "../../staff/second-factor/make-recovery-codes.ts";
import { endOneSession } from "../../staff/sessions/end-one-session.ts";
import { listSessions } from "../../staff/sessions/list-sessions.ts";
import { hashToken } from "../../staff/sessions/session.ts";
import { sessionTokenOf } from "../cookie.ts";
import * as wire from "./schema.ts";
import { listedSessionView, passkeyView } from "./view.ts";

const config = { permission: "view" } as const;
/** Changing the ways to sign in needs a confirmation. It is also allowed to a person who must have a second factor and has none yet. */
const enrol = { ...config, before: "totp", stepUp: true } as const;
const confirmed = { ...config, stepUp: true } as const;
const done = { 200: wire.sessionDoneAnswer } as const;

/** `/account/passkeys`, `/account/recovery-codes` and `/account/sessions`: the ways to sign in to one's own account. */
export function factorRoutes(app: App, deps: Deps): void {
  app.get(
    "/account/factors",
    { config: { ...config, before: "totp" }, schema: { hide: true, response: { 200: wire.factorsAnswer } } },
    async ({ staff: { uid } }) => {
      const [passkeys, codes] = await Promise.all([selectPasskeysOf(deps.db, uid), countRecoveryCodes(deps.db, uid)]);
      return { data: { passkeys: passkeys.map(passkeyView), recovery_codes: codes } };
    },
  );

  app.post(
    "/account/passkeys/challenge",
    { config: enrol, schema: { hide: true, response: { 200: wire.makePasskeyAnswer } } },
    async (request) => {
      const { store } = await readProgram(deps.db);
      return { data: await beginPasskey(deps, request.staff, store.name === "" ? "Pointkeeper" : store.name) };
    },
  );

  app.post(
    "/account/passkeys",
    { config: enrol, schema: { hide: true, body: wire.passkeyBody, response: done } },
    async (request) => {
      const { name, passkey: made } = request.body;
      const token = sessionTokenOf(request.headers.cookie) ?? "";
      await addPasskey(deps, { staffUid: request.staff.uid, token }, { made, name });
      return { data: {} };
    },
  );

  app.put(
    "/account/passkeys/:uid",
    { config, schema: { hide: true, params: wire.ownParams, body: wire.passkeyNameBody, response: done } },
    async (request) => {
      await renamePasskey(deps, request.staff.uid, { ...request.params, ...request.body });
      return { data: {} };
    },
  );

  app.delete(
    "/account/passkeys/:uid",
    { config: confirmed, schema: { hide: true, params: wire.ownParams, response: done } },
    async (request) => {
      await removePasskey(deps, request.staff.uid, request.params);
      return { data: {} };
    },
  );

  app.post(
    "/account/recovery-codes",
    { config: confirmed, schema: { hide: true, response: { 200: wire.codesAnswer } } },
    async (request) => {
      const token = sessionTokenOf(request.headers.cookie) ?? "";
      return { data: { codes: await makeRecoveryCodes(deps, request.staff, token) } };
    },
  );

  app.get(
    "/account/sessions",
    { config, schema: { hide: true, response: { 200: wire.sessionsAnswer } } },
    async (request) => {
      const token = sessionTokenOf(request.headers.cookie);
      const own = token === null ? null : hashToken(token);
      const sessions = await listSessions(deps, request.staff.uid);
      return { data: sessions.map((session) => listedSessionView(session, own)) };
    },
  );

  app.delete(
    "/account/sessions/:uid",
    { config, schema: { hide: true, params: wire.ownParams, response: done } },
    async (request) => {
      await endOneSession(deps, { staffUid: request.staff.uid, uid: request.params.uid });
      return { data: {} };
    },
  );
}
