import { adminRoutes } from "./admin/admin-routes.ts";
import { proofRoutes } from "./checkpoints/routes.ts";
import { couponRoutes, couponVerbsAlone } from "./coupons/routes.ts";
import { createAuthFailures } from "./credentials/create-auth-failures.ts";
import { createAuthenticator } from "./credentials/create-authenticator.ts";
import { createCustomerAuthenticator } from "./credentials/create-customer-authenticator.ts";
import { createRequestLog } from "./credentials/create-request-log.ts";
import { customerRoutes } from "./customers/routes.ts";
import type { Deps } from "./deps.ts";
import { explainRoutes } from "./explain/routes.ts";
import { exportFileRoutes } from "./exports/file-routes.ts";
import { exportRoutes } from "./exports/routes.ts";
import type { App } from "./http/app-type.ts";
import { createServer } from "./http/create-server.ts";
import { createDraining, type Draining } from "./http/draining.ts";
import { registerHealth } from "./http/health.ts";
import { registerDocs } from "./http/openapi/docs-page.ts";
import { registerOpenapi } from "./http/openapi/openapi.ts";
import { registerDashboard } from "./http/pages/dashboard-files.ts";
import { flowRoutes } from "./intake/flow-routes.ts";
import { intakeRoutes } from "./intake/routes.ts";
import { liabilityRoutes } from "./liability/routes.ts";
import { messageRoutes } from "./messages/routes.ts";
import { previewRoutes } from "./orders/preview/routes.ts";
import { productRoutes } from "./orders/products/routes.ts";
import { orderRoutes } from "./orders/routes.ts";
import { platformCouponVerbs } from "./platform-sync/platform-coupon-verbs.ts";
import { allotmentRoutes } from "./points/allotments/routes.ts";
import { balanceRoutes } from "./points/balances/routes.ts";
import { eventRoutes } from "./points/events/routes.ts";
import { reservationRoutes } from "./points/reservations/routes.ts";
import { privacyRoutes } from "./privacy/routes.ts";
import { createScrape, type Scrape } from "./prometheus/create-scrape.ts";
import { metricsRoutes } from "./prometheus/routes.ts";
import { type SandboxOptions, sandboxRoutes } from "./sandbox/routes.ts";
import { storefrontRoutes } from "./storefront/routes.ts";
import { tierRoutes } from "./tiers/routes.ts";
import { documentTopics } from "./webhooks/document-topics.ts";
import { customerIdName } from "./webhooks/payload-fields.ts";
import { webhookRoutes } from "./webhooks/routes.ts";

/** A feature's routes; their paths come after the prefix. */
export type Feature = (app: App, deps: Deps) => void;

/** The features of `/api/storefront`. */
const API_FEATURES: readonly Feature[] = [
  tierRoutes,
  allotmentRoutes,
  eventRoutes,
  balanceRoutes,
  exportRoutes,
  orderRoutes,
  previewRoutes,
  productRoutes,
  (app, deps) => couponRoutes(app, deps, platformCouponVerbs(deps)),
  reservationRoutes,
  customerRoutes,
  privacyRoutes,
  webhookRoutes,
  explainRoutes,
  proofRoutes,
  liabilityRoutes,
];

/** The features with other paths, which they name completely. */
const OTHER_FEATURES: readonly Feature[] = [intakeRoutes, flowRoutes, exportFileRoutes, messageRoutes];

export interface AppOptions {
  readonly sandbox?: SandboxOptions | undefined;
  /** Additional routes of a bench or test, under `/api/storefront` like the others. */
  readonly extraRoutes?: Feature;
  /** Whether the service is about to stop; absent: never. */
  readonly draining?: Draining;
  /** Produces the content of /metrics; absent: a default one. */
  readonly scrape?: Scrape;
}

const LAST_USED_FLUSH_MS = 60_000;

/** Builds the complete HTTP server: it lists every feature, under `/api/storefront` and under the platform's name (program.md 1). */
export function buildApp(deps: Deps, options: AppOptions = {}): App {
  const authenticator = createAuthenticator(deps);
  const draining = options.draining ?? createDraining();
  const failures = createAuthFailures(deps);
  const customers = createCustomerAuthenticator(deps);
  const requests = createRequestLog(deps);
  const app = createServer(deps, authenticator.authenticate, {
    draining,
    onFailure: failures.record,
    onAnswered: requests.record,
    authenticateCustomer: customers.authenticate,
  });
  registerOpenapi(app, { webhooks: documentTopics(), customerIdField: customerIdName(deps.config.platform) });
  registerHealth(app, deps, draining);
  metricsRoutes(app, deps.config, options.scrape ?? createScrape(deps));
  registerDocs(app);
  registerDashboard(app, deps.config);
  const prefixes = new Set(["storefront", deps.config.platform ?? "storefront"]);
  for (const name of prefixes) {
    app.register(
      (scope: App, _options, done) => {
        for (const feature of API_FEATURES) feature(scope, deps);
        options.extraRoutes?.(scope, deps);
        done();
      },
      { prefix: `/api/${name}` },
    );
  }
  registerStorefront(app, deps, customers.isAllowedOrigin);
  app.register((scope: App, _options, done) => {
    for (const feature of OTHER_FEATURES) feature(scope, deps);
    sandboxRoutes(scope, deps, options.sandbox);
    done();
  });
  app.register(
    (scope: App, _options, done) => {
      adminRoutes(scope, deps);
      done();
    },
    { prefix: "/admin/api" },
  );
  flushLastUsed(app, deps, async () => {
    await Promise.all([authenticator.flushLastUsed(), customers.flushLastUsed()]);
  });
  app.addHook("onClose", async () => {
    await Promise.all([failures.close(), requests.close()]);
  });
  return app;
}

function registerStorefront(app: App, deps: Deps, isAllowedOrigin: (origin: string) => Promise<boolean>): void {
  app.register(
    (scope: App, _options, done) => {
      storefrontRoutes(scope, deps, { coupons: platformCouponVerbs(deps) ?? couponVerbsAlone(deps), isAllowedOrigin });
      done();
    },
    { prefix: "/api/customer" },
  );
}

/** Builds the server of a worker on a separate port: only /health, /ready and /metrics, without credentials. */
export function buildHealthApp(deps: Deps, draining: Draining, scrape: Scrape): App {
  const app = createServer(deps, () => null, { draining });
  registerHealth(app, deps, draining);
  metricsRoutes(app, deps.config, scrape);
  return app;
}

function flushLastUsed(app: App, deps: Pick<Deps, "log">, flush: () => Promise<void>): void {
  const run = () =>
    flush().catch((error: unknown) => deps.log.warn({ error }, "the last use of credentials was not recorded"));
  let timer: NodeJS.Timeout | undefined;
  app.addHook("onReady", (done) => {
    timer = setInterval(run, LAST_USED_FLUSH_MS).unref();
    done();
  });
  app.addHook("onClose", async () => {
    clearInterval(timer);
    await run();
  });
}
