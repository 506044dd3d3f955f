import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { canChangeView, canShareViews, type Person, sharingForbidden } from "./access.ts";
import { changeView } from "./change-view.ts";
import { deleteDefaultView, type ListedView, selectViews } from "./queries.ts";
import { removeView } from "./remove-view.ts";
import { saveView } from "./save-view.ts";
import {
  type ShownView,
  savedViewAnswer,
  viewBody,
  viewChangeBody,
  viewDoneAnswer,
  viewParams,
  viewsAnswer,
  viewsQuery,
} from "./schema.ts";
import { setDefaultView } from "./set-default-view.ts";

const config = { permission: "view" } as const;

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
      if (isShared && !canShareViews(staff)) throw sharingForbidden(staff);
      return { data: { uid: await saveView(deps, { ...given, isShared, staffUid: staff.uid }) } };
    },
  );
  app.put(
    "/views/:uid",
    { config, schema: { hide: true, params: viewParams, body: viewChangeBody, response: { 200: viewDoneAnswer } } },
    async ({ params, body, staff }) => {
      await changeView(deps, params.uid, body, staff);
      return { data: {} };
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
  defaultViewRoutes(app, deps);
}

/** `/views/:uid/default`: whether the navigation opens the view's list with it, for the person alone. */
function defaultViewRoutes(app: App, deps: Deps): void {
  const schema = { hide: true, params: viewParams, response: { 200: viewDoneAnswer } } as const;
  app.put("/views/:uid/default", { config, schema }, async ({ params, staff }) => {
    await setDefaultView(deps, params.uid, staff);
    return { data: {} };
  });
  app.delete("/views/:uid/default", { config, schema }, async ({ params, staff }) => {
    await deleteDefaultView(deps.db, params.uid, staff.uid);
    return { data: {} };
  });
}

function shownView(view: ListedView, person: Person): ShownView {
  const { uid, name, filters, isShared, by, staffUid } = view;
  return {
    uid,
    name,
    filters,
    is_shared: isShared,
    by,
    is_own: staffUid === person.uid,
    can_change: canChangeView(view, person),
  };
}
