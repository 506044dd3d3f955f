import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { BASE } from "./api/base-path.ts";
import { loadCode } from "./api/code.ts";
import { type PageComponent, prefetchQueries } from "./api/prefetch-queries.ts";
import { SESSION_KEY } from "./api/session.ts";
import { entryOf } from "./navigation.ts";
import { PageError } from "./shell/page-error.tsx";
import { PagePending } from "./shell/page-pending.tsx";
import { Root } from "./shell/root.tsx";
import { Shell } from "./shell/shell.tsx";
import { PageNotFound } from "./ui/states/page-not-found.tsx";
import { readSearch, writeSearch } from "./ui/urls/address.ts";

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Root,
  notFoundComponent: PageNotFound,
});
const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  component: Shell,
  notFoundComponent: PageNotFound,
});

/** An address without a page. */
const elsewhere = createRoute({ getParentRoute: () => shell, path: "$", component: PageNotFound });

/** How long the previous page stays visible, so that the next one is shown with its data and not in two steps. */
const READS_WAIT_MS = 400;
const PENDING_MS = 500;

/**
 * A page below /admin, loaded when it is first needed: `/webhooks/{-$uid}` is one page with or without the last part. Its first queries start as soon
 * as its code is loaded.
 */
function page<Name extends string>(path: string, load: () => Promise<Record<Name, PageComponent>>, name: Name) {
  return createRoute({
    getParentRoute: () => shell,
    path,
    component: lazyRouteComponent(loadCode(load), name),
    loader: async ({ context: { client }, location, params, cause }) => {
      if (cause === "stay") return; // the page is open and reads by itself
      const address = { search: location.search, params };
      const permission = entryOf(location.pathname)?.permission;
      const reading = load()
        .then((code) => prefetchQueries(client, code[name], address, permission))
        .catch(() => undefined);
      const isFirst = client.getQueryData(SESSION_KEY) === undefined;
      if (!isFirst) await Promise.race([reading, new Promise((done) => setTimeout(done, READS_WAIT_MS))]);
    },
  });
}

/** Every page of the dashboard: one line each. */
const PAGES = [
  page("/customers", () => import("./pages/customers/page.tsx"), "CustomersPage"),
  page("/customers/$id/statement", () => import("./pages/customer/statement-page.tsx"), "StatementPage"),
  page("/customers/$id/{-$tab}/{-$uid}", () => import("./pages/customer/page.tsx"), "CustomerPage"),
  page("/approvals", () => import("./pages/approvals/page.tsx"), "ApprovalsPage"),
  page("/ledger/{-$uid}", () => import("./pages/ledger/page.tsx"), "LedgerPage"),
  page("/liability/{-$kind}", () => import("./pages/liability/page.tsx"), "LiabilityPage"),
  page("/orders", () => import("./pages/orders/page.tsx"), "OrdersPage"),
  page("/orders/$id", () => import("./pages/orders/order-page.tsx"), "OrderPage"),
  page("/program/{-$tab}", () => import("./pages/program/page.tsx"), "ProgramPage"),
  page("/segments/{-$uid}", () => import("./pages/segments/page.tsx"), "SegmentsPage"),
  page("/growth/{-$tab}", () => import("./pages/growth/page.tsx"), "GrowthPage"),
  page("/results/{-$id}", () => import("./pages/results/page.tsx"), "ResultsPage"),
  page("/", () => import("./pages/home/page.tsx"), "HomePage"),
  page("/glossary", () => import("./pages/glossary/page.tsx"), "GlossaryPage"),
  page("/download", () => import("./pages/download/page.tsx"), "DownloadPage"),
  page("/appearance", () => import("./pages/appearance/page.tsx"), "AppearancePage"),
  page("/account", () => import("./pages/account/page.tsx"), "AccountPage"),
  page("/credentials/{-$key}", () => import("./pages/credentials/page.tsx"), "CredentialsPage"),
  page("/csv/{-$tab}", () => import("./pages/csv/page.tsx"), "CsvPage"),
  page("/csv/imports/$uid", () => import("./pages/csv/import-page.tsx"), "ImportPage"),
  page("/people/{-$uid}", () => import("./pages/people/page.tsx"), "PeoplePage"),
  page("/alerts", () => import("./pages/alerts/page.tsx"), "AlertsPage"),
  page("/messages/{-$kind}", () => import("./pages/messages/page.tsx"), "MessagesPage"),
  page("/reports", () => import("./pages/reports/page.tsx"), "ReportsPage"),
  page("/mails", () => import("./pages/mails/page.tsx"), "MailsPage"),
  page("/audit/{-$id}", () => import("./pages/audit/page.tsx"), "AuditPage"),
  page("/jobs/{-$name}", () => import("./pages/jobs/page.tsx"), "JobsPage"),
  page("/intake/{-$uid}", () => import("./pages/intake/page.tsx"), "IntakePage"),
  page("/webhooks/{-$kind}/{-$id}", () => import("./pages/webhooks/page.tsx"), "WebhooksPage"),
];

/** Creates the router of the dashboard, which `RouterProvider` in main.tsx shows. */
export function createDashboardRouter(client: QueryClient) {
  return createRouter({
    context: { client },
    routeTree: root.addChildren([shell.addChildren([...PAGES, elsewhere])]),
    basepath: BASE,
    parseSearch: readSearch,
    stringifySearch: writeSearch,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: PageNotFound,
    defaultPendingComponent: PagePending,
    defaultPendingMs: PENDING_MS,
    defaultPendingMinMs: 0, // the default of half a second would delay the page
    scrollRestoration: true,
  });
}
