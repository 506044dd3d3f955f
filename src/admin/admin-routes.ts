import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { OPEN_BODY_LIMIT_BYTES } from "../http/json-body.ts";
import { ADMIN_FEATURES } from "./admin-features.ts";
import { registerGate } from "./register-gate.ts";

/** What a person tells of themselves is as short as what anybody may send. */
const ABOUT_ONESELF = /^\/admin\/api\/(?:sessions?|setup|account)(?:\/|$)/;

/** What the dashboard asks and does, under `/admin/api`: for signed-in people, never for credentials. */
export function adminRoutes(app: App, deps: Deps): void {
  registerGate(deps, app);
  app.addHook("onRoute", (route) => {
    if (ABOUT_ONESELF.test(route.url)) route.bodyLimit ??= OPEN_BODY_LIMIT_BYTES;
  });
  for (const feature of ADMIN_FEATURES) feature(app, deps);
}
