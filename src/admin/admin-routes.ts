import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { OPEN_BODY_LIMIT_BYTES } from "../http/bodies/json-body.ts";
import { alertsAdminRoutes } from "./alerts/routes.ts";
import { approvalsAdminRoutes } from "./approvals/routes.ts";
import { auditAdminRoutes } from "./audit/routes.ts";
import { requestLogAdminRoutes } from "./credentials/request-routes.ts";
import { credentialsAdminRoutes } from "./credentials/routes.ts";
import { storefrontAdminRoutes } from "./credentials/storefront-routes.ts";
import { csvAdminRoutes } from "./csv/routes.ts";
import { customersAdminRoutes } from "./customers/routes.ts";
import { growthAdminRoutes } from "./growth/routes.ts";
import { homeAdminRoutes } from "./home/routes.ts";
import { intakeAdminRoutes } from "./intake/routes.ts";
import { jobsAdminRoutes } from "./jobs/routes.ts";
import { ledgerAdminRoutes } from "./ledger/routes.ts";
import { liabilityAdminRoutes } from "./liability/routes.ts";
import { listFilesAdminRoutes } from "./list-files/routes.ts";
import { messagesAdminRoutes } from "./messages/routes.ts";
import { ordersAdminRoutes } from "./orders/routes.ts";
import { peopleAdminRoutes } from "./people/routes.ts";
import { programAdminRoutes } from "./program/routes.ts";
import { registerDownloadPage } from "./register-download-page.ts";
import { registerGate } from "./register-gate.ts";
import { reportsAdminRoutes } from "./reports/routes.ts";
import { resultsAdminRoutes } from "./results/routes.ts";
import { savedViewsAdminRoutes } from "./saved-views/routes.ts";
import { segmentsAdminRoutes } from "./segments/routes.ts";
import { sessionAdminRoutes } from "./session/routes.ts";
import { themeAdminRoutes } from "./theme/routes.ts";
import { webhooksAdminRoutes } from "./webhooks/routes.ts";

/** Routes about the person themselves: their bodies have the size limit of open routes. */
const ABOUT_ONESELF = /^\/admin\/api\/(?:sessions?|setup|account)(?:\/|$)/;

/** The dashboard's features; their paths come after `/admin/api`. */
const ADMIN_FEATURES: readonly ((app: App, deps: Deps) => void)[] = [
  growthAdminRoutes,
  homeAdminRoutes,
  sessionAdminRoutes,
  customersAdminRoutes,
  approvalsAdminRoutes,
  ledgerAdminRoutes,
  liabilityAdminRoutes,
  listFilesAdminRoutes,
  savedViewsAdminRoutes,
  themeAdminRoutes,
  ordersAdminRoutes,
  programAdminRoutes,
  resultsAdminRoutes,
  segmentsAdminRoutes,
  peopleAdminRoutes,
  credentialsAdminRoutes,
  requestLogAdminRoutes,
  storefrontAdminRoutes,
  auditAdminRoutes,
  csvAdminRoutes,
  intakeAdminRoutes,
  jobsAdminRoutes,
  webhooksAdminRoutes,
  alertsAdminRoutes,
  reportsAdminRoutes,
  messagesAdminRoutes,
];

/** Registers the dashboard's interface under `/admin/api`: for signed-in people, never for credentials. */
export function adminRoutes(app: App, deps: Deps): void {
  registerGate(deps, app);
  registerDownloadPage(deps, app);
  app.addHook("onRoute", (route) => {
    if (ABOUT_ONESELF.test(route.url)) route.bodyLimit ??= OPEN_BODY_LIMIT_BYTES;
  });
  for (const feature of ADMIN_FEATURES) feature(app, deps);
}
