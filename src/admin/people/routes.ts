import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { Problem } from "../../problems.ts";
import { changeStaff } from "../../staff/change-staff.ts";
import { createStaff } from "../../staff/create-staff.ts";
import { listStaff } from "../../staff/list-staff.ts";
import { removeTotp } from "../../staff/remove-totp.ts";
import { resetPassword } from "../../staff/reset-password.ts";
import { signOutEverywhere } from "../../staff/sign-out-everywhere.ts";
import type { Staff } from "../../staff/staff.ts";
import { inviteBody, madePasswordAnswer, peopleAnswer, personBody, personDoneAnswer, personParams } from "./schema.ts";
import { personView } from "./view.ts";

const config = { permission: "people.manage" } as const;
const done = { hide: true, params: personParams, response: { 200: personDoneAnswer } } as const;

/** `/people`: who may sign in, and what they may do. */
export function peopleAdminRoutes(app: App, deps: Deps): void {
  app.get("/people", { config, schema: { hide: true, response: { 200: peopleAnswer } } }, async () => ({
    data: (await listStaff(deps)).map(personView),
    next: null,
  }));

  app.post(
    "/people",
    { config, schema: { hide: true, body: inviteBody, response: { 200: madePasswordAnswer } } },
    async (request) => {
      const { email, name, role } = request.body;
      const made = await createStaff(deps, { email, name, role });
      return { data: { uid: made.uid, password: made.madePassword ?? "" } };
    },
  );

  app.put("/people/:uid", { config, schema: { ...done, body: personBody } }, async (request) => {
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
    { config, schema: { hide: true, params: personParams, response: { 200: madePasswordAnswer } } },
    async (request) => {
      const { uid } = request.params;
      keepOwn(request.staff, uid);
      const { madePassword } = await resetPassword(deps, uid);
      return { data: { uid, password: madePassword ?? "" } };
    },
  );

  app.delete("/people/:uid/totp", { config, schema: done }, async (request) => {
    const { uid } = request.params;
    keepOwn(request.staff, uid);
    await removeTotp(deps, uid);
    return { data: { uid } };
  });

  app.delete("/people/:uid/sessions", { config, schema: done }, async (request) => {
    const { uid } = request.params;
    await signOutEverywhere(deps, uid);
    return { data: { uid } };
  });
}

/** Of oneself they are changed at `/account` alone, which asks for the password or a code of now. */
function keepOwn(staff: Staff, uid: string): void {
  if (staff.uid === uid) throw new Problem("own_account");
}
