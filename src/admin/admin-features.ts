import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { approvalsAdminRoutes } from "./approvals/routes.ts";
import { auditAdminRoutes } from "./audit/routes.ts";
import { credentialsAdminRoutes } from "./credentials/routes.ts";
import { csvAdminRoutes } from "./csv/routes.ts";
import { customersAdminRoutes } from "./customers/routes.ts";
import { homeAdminRoutes } from "./home/routes.ts";
import { intakeAdminRoutes } from "./intake/routes.ts";
import { jobsAdminRoutes } from "./jobs/routes.ts";
import { ledgerAdminRoutes } from "./ledger/routes.ts";
import { ordersAdminRoutes } from "./orders/routes.ts";
import { peopleAdminRoutes } from "./people/routes.ts";
import { programAdminRoutes } from "./program/routes.ts";
import { sessionAdminRoutes } from "./session/routes.ts";
import { webhooksAdminRoutes } from "./webhooks/routes.ts";

/** The dashboard's features, by the paths that stand behind `/admin/api`. */
export const ADMIN_FEATURES: readonly ((app: App, deps: Deps) => void)[] = [
  homeAdminRoutes,
  sessionAdminRoutes,
  customersAdminRoutes,
  approvalsAdminRoutes,
  ledgerAdminRoutes,
  ordersAdminRoutes,
  programAdminRoutes,
  peopleAdminRoutes,
  credentialsAdminRoutes,
  auditAdminRoutes,
  csvAdminRoutes,
  intakeAdminRoutes,
  jobsAdminRoutes,
  webhooksAdminRoutes,
];
