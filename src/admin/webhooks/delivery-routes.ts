import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { runRead } from "../../http/run-read.ts";
import { Problem } from "../../problems.ts";
import { can } from "../../staff/permissions.ts";
import { selectFailingSubscriptions } from "../../webhooks/failures/failing-queries.ts";
import { replayDelivery } from "../../webhooks/failures/replay-delivery.ts";
import { replayFailed } from "../../webhooks/failures/replay-failed.ts";
import { findTopic } from "../../webhooks/topics/index.ts";
import { COUNTED_MAX } from "../../wire/limits.ts";
import { countListed } from "../count-listed.ts";
import { listCountAnswer } from "../list-count-schema.ts";
import { countDeliveries } from "./count-deliveries.ts";
import { countFailed } from "./delivery-count-queries.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { selectAttempts, selectDelivery } from "./one-delivery-queries.ts";
import { readSince } from "./read-since.ts";
import * as wire from "./schema.ts";
import { topicsOf } from "./topic-filter.ts";
import { viewOneDelivery } from "./view.ts";

const view = { permission: "view" } as const;
const manage = { permission: "webhooks.manage" } as const;

/** What is sent again: one failed delivery, or all that failed since a time, of one topic or of all. */
type ReplayInput = { readonly uid: string } | { readonly topic?: string; readonly since?: string };

/** Routes of deliveries: the list, a delivery with its attempts, and sending failed ones again. */
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
    "/webhooks/deliveries/count",
    { config: view, schema: { hide: true, querystring: wire.deliveryFilters, response: { 200: listCountAnswer } } },
    (request, reply) => countListed(deps, [request, reply], (tx) => countDeliveries(tx, request.query)),
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
      // Personal data in a delivery is only shown to people who may work with receipts.
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

/** Returns a delivery with its attempts; its payload and the receiver's response only if `isPersonal`. Throws `not_found`. */
async function readDelivery(
  deps: Pick<Deps, "db">,
  uid: string,
  isPersonal: boolean,
): Promise<wire.DeliveryAnswer["data"]> {
  const one = await selectDelivery(deps.db, uid);
  if (one === undefined) throw new Problem("not_found");
  return viewOneDelivery(one, await selectAttempts(deps.db, one), isPersonal);
}

/** Returns how many deliveries `replayFailed` would send again, counted like `countFailed`. Throws `invalid`. */
async function countFailedDeliveries(
  deps: Pick<Deps, "db">,
  query: { readonly topic?: string; readonly since?: string },
): Promise<number> {
  const since = await readSince(deps.db, query.since);
  const failing = await selectFailingSubscriptions(deps.db, topicsOf(query.topic));
  const uids = failing.filter(({ nextUid }) => nextUid !== null).map(({ uid }) => uid);
  return countFailed(deps.db, uids, { since, until: null });
}

/** Sends failed deliveries again and records who requested it. Throws `invalid`, and `not_found` for a single one. */
async function replayDeliveries(deps: Deps, input: ReplayInput): Promise<wire.ReplayAllAnswer["data"]> {
  if ("uid" in input) {
    await deps.db.tx(async (tx) => {
      await replayDelivery(tx, deps, input.uid);
      await recordAction(tx, deps, { action: "delivery.replayed", subject: { kind: "delivery", id: input.uid } });
    });
    return { replayed: 1, has_more: false };
  }
  const since = await readSince(deps.db, input.since, "body");
  const topic = input.topic === undefined ? null : (findTopic(input.topic) ?? null);
  let sent = 0;
  try {
    const { replayed, hasMore } = await replayFailed(deps, { since, topic }, (count) => {
      sent += count;
    });
    return { replayed, has_more: hasMore };
  } finally {
    const subject = { kind: "subscription", id: topic ?? "all" };
    const after = { since: since?.toString() ?? null, replayed: sent };
    await recordAction(deps.db, deps, { action: "deliveries.replayed", subject, after });
  }
}
