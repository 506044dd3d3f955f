import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { listMoved } from "../growth/list-moved.ts";
import { listStays } from "../growth/list-stays.ts";
import { movesQuery, staysQuery } from "../growth/schema.ts";
import { movesView, staysView } from "../growth/view.ts";
import { listBenefits } from "../results/list-benefits.ts";
import { readResults } from "../results/read-results.ts";
import { listedBenefitsQuery, resultsQuery } from "../results/schema.ts";
import { listedBenefitsView, resultsView } from "../results/view.ts";
import { registerListFile } from "./register-list-file.ts";

/** Files of what a program brought: moves between tiers, stays in them, results. */
export function steeringFilesAdminRoutes(app: App, deps: Deps): void {
  movesFile(app, deps);
  staysFile(app, deps);
  resultsFile(app, deps);
  benefitsFile(app, deps);
}

function movesFile(app: App, deps: Deps): void {
  registerListFile(deps, app, {
    path: "/growth/moves",
    permission: "lists.export",
    query: movesQuery,
    read: async (from, query, pageRows) => movesView(await listMoved(from, query, pageRows)),
    columns: {
      month: ({ month }) => month,
      customer_id: ({ customer }) => customer.id,
      name: ({ customer }) => customer.name,
      email: ({ customer }) => customer.email,
      from_tier: ({ from }) => from,
      to_tier: ({ to }) => to,
    },
  });
}

function staysFile(app: App, deps: Deps): void {
  registerListFile(deps, app, {
    path: "/growth/stays",
    permission: "lists.export",
    query: staysQuery,
    read: async (from, query, pageRows) => staysView(await listStays(from, query, pageRows)),
    columns: {
      month: ({ month }) => month,
      customer_id: ({ customer }) => customer.id,
      name: ({ customer }) => customer.name,
      email: ({ customer }) => customer.email,
      tier: ({ tier }) => tier,
      in_tier_since: ({ since }) => since,
      tier_now: ({ now }) => now,
    },
  });
}

/** Page by page as the list reads it: each run is compared with the days before it. */
function resultsFile(app: App, deps: Deps): void {
  registerListFile(deps, app, {
    path: "/results",
    permission: "lists.export",
    query: resultsQuery,
    read: async (from, query) => resultsView(await readResults(from, query)),
    columns: {
      id: ({ id }) => id,
      kind: ({ kind }) => kind,
      name: ({ name }) => name,
      state: ({ state }) => state,
      starts_at: ({ starts_at }) => ({ at: starts_at }),
      ends_at: ({ ends_at }) => ({ at: ends_at }),
      orders: ({ orders }) => orders,
      customers: ({ customers }) => customers,
      revenue_minor: ({ revenue_minor }) => revenue_minor,
      points: ({ points }) => points,
      cost_minor: ({ cost_minor }) => cost_minor,
      extra_points: ({ extra_points }) => extra_points,
      extra_cost_minor: ({ extra_cost_minor }) => extra_cost_minor,
      before_from: ({ before }) => ({ at: before?.from ?? null }),
      before_to: ({ before }) => ({ at: before?.to ?? null }),
      before_orders: ({ before }) => before?.orders ?? null,
      before_revenue_minor: ({ before }) => before?.revenue_minor ?? null,
      before_points: ({ before }) => before?.points ?? null,
      collection_id: ({ collection_id }) => collection_id,
    },
  });
}

function benefitsFile(app: App, deps: Deps): void {
  registerListFile(deps, app, {
    path: "/results/benefits/list",
    permission: "lists.export",
    query: listedBenefitsQuery,
    read: async (from, query, pageRows) => listedBenefitsView(await listBenefits(from, query, pageRows)),
    columns: {
      at: ({ at }) => ({ at }),
      customer_id: ({ customer }) => customer?.id ?? null,
      name: ({ customer }) => customer?.name ?? null,
      email: ({ customer }) => customer?.email ?? null,
      points: ({ points }) => points,
      is_used: ({ is_used }) => (is_used ? "yes" : "no"),
      ordered_within_30_days: ({ has_order }) => (has_order === null ? null : has_order ? "yes" : "no"),
    },
  });
}
