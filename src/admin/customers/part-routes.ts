import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { listTierChanges } from "../../tiers/list-tier-changes.ts";
import { formatInstant } from "../../time/store-time.ts";
import { listParts } from "./list-parts.ts";
import {
  couponPart,
  customerCouponView,
  historyPart,
  historyView,
  orderPart,
  orderView,
  reservationPart,
  reservationView,
} from "./parts.ts";
import { readCouponOrders } from "./read-coupon-orders.ts";
import {
  couponsAnswer,
  customerTierChangesAnswer,
  historyAnswer,
  ordersAnswer,
  pageQuery,
  reservationsAnswer,
  shownCustomerParams,
} from "./schema.ts";

const config = { permission: "view" } as const;
const asked = { hide: true, params: shownCustomerParams, querystring: pageQuery };

/** Routes of a customer's other lists: coupons, orders, reservations, history from another app, earlier tiers. */
export function partRoutes(app: App, deps: Deps): void {
  app.get(
    "/customers/:id/coupons",
    { config, schema: { ...asked, response: { 200: couponsAnswer } } },
    async (request) => {
      const { rows, next } = await listParts(deps, request.params.id, request.query.after, couponPart);
      const names = await readCouponOrders(deps, rows);
      return { data: rows.map((row) => customerCouponView(row, names, deps.clock.now())), next };
    },
  );
  app.get(
    "/customers/:id/orders",
    { config, schema: { ...asked, response: { 200: ordersAnswer } } },
    async (request) => {
      const { rows, next } = await listParts(deps, request.params.id, request.query.after, orderPart);
      return { data: rows.map(orderView), next };
    },
  );
  app.get(
    "/customers/:id/reservations",
    { config, schema: { ...asked, response: { 200: reservationsAnswer } } },
    async (request) => {
      const { rows, next } = await listParts(deps, request.params.id, request.query.after, reservationPart);
      return { data: rows.map((row) => reservationView(row, deps.clock.now())), next };
    },
  );
  historyRoute(app, deps);
  tierChangesRoute(app, deps);
}

function historyRoute(app: App, deps: Deps): void {
  app.get(
    "/customers/:id/history",
    { config, schema: { ...asked, response: { 200: historyAnswer } } },
    async (request) => {
      const { rows, next } = await listParts(deps, request.params.id, request.query.after, historyPart);
      return { data: rows.map(historyView), next };
    },
  );
}

function tierChangesRoute(app: App, deps: Deps): void {
  app.get(
    "/customers/:id/tier-changes",
    { config, schema: { ...asked, response: { 200: customerTierChangesAnswer } } },
    async (request) => {
      const page = Math.max(1, Math.min(1_000_000, Number(request.query.after ?? 1) || 1));
      const { changes, end } = await listTierChanges(deps, request.params.id, { page, perPage: 50 });
      const data = changes.map(({ changedAt, fromName, toName, cause, actor, spendMinor }) => ({
        changed_at: formatInstant(changedAt),
        from: fromName,
        to: toName,
        cause,
        actor,
        spend: spendMinor === null ? null : Number(spendMinor),
      }));
      return { data, next: end.hasMore ? String(page + 1) : null };
    },
  );
}
