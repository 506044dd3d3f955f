import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { readProgram } from "../../program/read-program.ts";
import { beginTotp } from "../../staff/second-factor/begin-totp.ts";
import { confirmTotp } from "../../staff/second-factor/confirm-totp.ts";
import { endTotp } from "../../staff/second-factor/end-totp.ts";
import { updateAccount } from "../../staff/update-account.ts";
import { checkConfirmed } from "../check-confirmed.ts";
import { sessionTokenOf } from "../cookie.ts";
import { accountBody, codeBody, sessionDoneAnswer, totpAnswer, totpOnBody } from "./schema.ts";

const config = { permission: "view" } as const;
const enrol = { ...config, before: "totp" } as const;

/** `/account`: what a person changes about themselves. */
export function accountRoutes(app: App, deps: Deps): void {
  app.put(
    "/account",
    {
      config: { ...config, before: "password" },
      schema: { hide: true, body: accountBody, response: { 200: sessionDoneAnswer } },
    },
    async (request) => {
      const { name, language, current_password: currentPassword, password } = request.body;
      const { hasPassword } = request.staff;
      if (password !== undefined && !hasPassword) await checkConfirmed(deps, request.staff);
      const token = sessionTokenOf(request.headers.cookie) ?? "";
      await updateAccount(deps, request.staff, { name, language, currentPassword, password, token });
      return { data: {} };
    },
  );

  app.post(
    "/account/totp",
    { config: enrol, schema: { hide: true, response: { 200: totpAnswer } } },
    async (request) => {
      const { store } = await readProgram(deps.db);
      return { data: await beginTotp(deps, request.staff, store.name === "" ? "Pointkeeper" : store.name) };
    },
  );

  app.put(
    "/account/totp",
    { config: enrol, schema: { hide: true, body: totpOnBody, response: { 200: sessionDoneAnswer } } },
    async (request) => {
      const { code, current_password: currentPassword } = request.body;
      if (!request.staff.hasPassword) await checkConfirmed(deps, request.staff);
      const token = sessionTokenOf(request.headers.cookie) ?? "";
      await confirmTotp(deps, request.staff, { code, currentPassword, token });
      return { data: {} };
    },
  );

  app.delete(
    "/account/totp",
    { config, schema: { hide: true, body: codeBody, response: { 200: sessionDoneAnswer } } },
    async (request) => {
      await endTotp(deps, request.staff, request.body.code);
      return { data: {} };
    },
  );
}
