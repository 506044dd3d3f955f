import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { ADMIN_FEATURES } from "./admin-features.ts";
import { registerGate } from "./register-gate.ts";

/** What the dashboard asks and does, under `/admin/api`: for signed-in people, never for credentials. */
export function adminRoutes(app: App, deps: Deps): void {
  registerGate(deps, app);
  for (const feature of ADMIN_FEATURES) feature(app, deps);
}
