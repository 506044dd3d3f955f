import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { Problem } from "../../problems.ts";
import { can } from "../../staff/permissions.ts";
import type { Role } from "../../wire/access.ts";
import { deleteView, type ListedView, lockView, selectViews } from "./queries.ts";
import { saveView } from "./save-view.ts";
import {
  type ShownView,
  savedViewAnswer,
  viewBody,
  viewDoneAnswer,
  viewParams,
  viewsAnswer,
  viewsQuery,
} from "./schema.ts";

const config = { permission: "view" } as const;

interface Person {
  readonly uid: string;
  readonly role: Role;
}

/** `/views`: saved filters of lists, a person's own and shared ones. */
export function savedViewsAdminRoutes(app: App, deps: Deps): void {
  app.get(
    "/views",
    { config, schema: { hide: true, querystring: viewsQuery, response: { 200: viewsAnswer } } },
    async ({ query, staff }) => ({
      data: (await selectViews(deps.db, query.list, staff.uid)).map((view) => shownView(view, staff)),
    }),
  );
  app.post(
    "/views",
    { config, schema: { hide: true, body: viewBody, response: { 200: savedViewAnswer } } },
    async ({ body, staff }) => {
      const { is_shared: isShared, ...given } = body;
      if (isShared) assertMayShare(staff);
      return { data: { uid: await saveView(deps, { ...given, isShared, staffUid: staff.uid }) } };
    },
  );
  app.delete(
    "/views/:uid",
    { config, schema: { hide: true, params: viewParams, response: { 200: viewDoneAnswer } } },
    async ({ params, staff }) => {
      await removeView(deps, params.uid, staff);
      return { data: {} };
    },
  );
}

function shownView({ uid, name, filters, isShared, by, staffUid }: ListedView, person: Person): ShownView {
  const canRemove = !isShared || can(person.role, "views.share");
  return { uid, name, filters, is_shared: isShared, by, is_own: staffUid === person.uid, can_remove: canRemove };
}

function assertMayShare({ role }: Person): void {
  if (can(role, "views.share")) return;
  throw new Problem("forbidden", { faults: [{ detail: `the role ${role} lacks the permission views.share` }] });
}

/** Removes a person's own view, or a shared one, which is recorded in the audit log. Throws `not_found` for the view of another, and `forbidden`. */
async function removeView(deps: Pick<Deps, "db" | "clock">, uid: string, person: Person): Promise<void> {
  await deps.db.tx(async (tx) => {
    const view = await lockView(tx, uid);
    if (view === undefined || (!view.isShared && view.staffUid !== person.uid)) throw new Problem("not_found");
    if (view.isShared) assertMayShare(person);
    await deleteView(tx, uid);
    if (!view.isShared) return;
    const before = { list: view.list, name: view.name, filters: view.filters };
    await recordAction(tx, deps, { action: "view.removed", subject: { kind: "saved_view", id: uid }, before });
  });
}
