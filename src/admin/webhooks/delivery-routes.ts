import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { runRead } from "../../http/run-read.ts";
import { can } from "../../staff/permissions.ts";
import { COUNTED_MAX } from "../../wire/limits.ts";
import { countFailedDeliveries } from "./count-failed-deliveries.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { readDelivery } from "./read-delivery.ts";
import { replayDeliveries } from "./replay-deliveries.ts";
import * as wire from "./schema.ts";

const view = { permission: "view" } as const;
const manage = { permission: "webhooks.manage" } as const;

/** Deliveries: the list, one with its attempts, and what failed sent again. */
export function deliveryAdminRoutes(app: App, deps: Deps): void {
  app.get(
    "/webhooks/deliveries",
    {
      config: view,
      schema: { hide: true, querystring: wire.deliveryQuery, response: { 200: wire.deliveryPage } },
    },
    (request, reply) => runRead(deps, [request, reply], (from) => listDeliveries(from, request.query)),
  );
  app.get(
    "/webhooks/deliveries/failed",
    { config: view, schema: { hide: true, querystring: wire.failedQuery, response: { 200: wire.failedAnswer } } },
    async ({ query }) => ({ data: { count: await countFailedDeliveries(deps, query), counted_to: COUNTED_MAX } }),
  );
  app.post(
    "/webhooks/deliveries/replay",
    { config: manage, schema: { hide: true, body: wire.replayAllBody, response: { 200: wire.replayAllAnswer } } },
    async ({ body }) => ({ data: await replayDeliveries(deps, body) }),
  );
  app.get(
    "/webhooks/deliveries/:uid",
    { config: view, schema: { hide: true, params: wire.deliveryParams, response: { 200: wire.shownDeliveryAnswer } } },
    async ({ params, staff }) => ({
      // What stands in a delivery of a person is for those who may work with receipts.
      data: await readDelivery(deps, params.uid, can(staff.role, "intake.reprocess")),
    }),
  );
  app.post(
    "/webhooks/deliveries/:uid/replay",
    {
      config: manage,
      schema: { hide: true, params: wire.deliveryParams, body: wire.replayBody, response: { 200: wire.replayAnswer } },
    },
    async ({ params }) => {
      await replayDeliveries(deps, params);
      return { data: params };
    },
  );
}
