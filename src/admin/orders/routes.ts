import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { runRead } from "../../http/run-read.ts";
import { finishTask } from "../../orders/finish-task.ts";
import { Problem } from "../../problems.ts";
import { formatInstant } from "../../time/store-time.ts";
import { applyRecompute } from "./apply-recompute.ts";
import { listCountedOrders } from "./list-counted-orders.ts";
import { previewRecompute } from "./preview-recompute.ts";
import { readOrderPage } from "./read-order-page.ts";
import { viewRecomputed } from "./recompute-view.ts";
import {
  countedOrdersPage,
  orderAnswer,
  orderParams,
  ordersQuery,
  recomputeAnswer,
  recomputeBody,
  taskDoneAnswer,
  taskParams,
} from "./schema.ts";
import { viewOrder } from "./view.ts";

const seen = { permission: "view" } as const;
const changed = { permission: "orders.recompute" } as const;

/** Routes of the store's orders: the list, an order with the sources of its points, recomputing, and tasks for staff. */
export function ordersAdminRoutes(app: App, deps: Deps): void {
  app.get(
    "/orders",
    { config: seen, schema: { hide: true, querystring: ordersQuery, response: { 200: countedOrdersPage } } },
    (request, reply) => runRead(deps, [request, reply], (from) => listCountedOrders(from, request.query)),
  );
  app.get(
    "/orders/:id",
    { config: seen, schema: { hide: true, params: orderParams, response: { 200: orderAnswer } } },
    async (request) => ({ data: viewOrder(await readOrderPage(deps, request.params.id)) }),
  );
  app.get(
    "/orders/:id/recompute",
    { config: changed, schema: { hide: true, params: orderParams, response: { 200: recomputeAnswer } } },
    async (request) => ({ data: viewRecomputed(await previewRecompute(deps, request.params.id)) }),
  );
  app.post(
    "/orders/:id/recompute",
    {
      config: changed,
      schema: { hide: true, params: orderParams, body: recomputeBody, response: { 200: recomputeAnswer } },
    },
    async (request) => ({ data: await applyRecompute(deps, request.params.id, request.body.digest) }),
  );
  app.post(
    "/orders/:id/tasks/:uid/done",
    { config: changed, schema: { hide: true, params: taskParams, response: { 200: taskDoneAnswer } } },
    async (request) => {
      const { id: orderId, uid } = request.params;
      const { name } = request.staff;
      const at = await finishOrderTask(deps, { orderId, uid, by: name });
      return { data: { uid, done_at: formatInstant(at), done_by: name } };
    },
  );
}

/** Marks a task of an order as done. Throws `not_found` if it is not the order's, or is already done. */
async function finishOrderTask(
  deps: Pick<Deps, "db" | "clock">,
  task: { readonly orderId: string; readonly uid: string; readonly by: string },
): Promise<Temporal.Instant> {
  const { orderId, uid, by } = task;
  const at = deps.clock.now();
  await deps.db.tx(async (tx) => {
    const kind = await finishTask(tx, { uid, subject: `order/${orderId}` }, { at, by });
    if (kind === undefined) throw new Problem("not_found");
    await recordAction(tx, deps, {
      action: "order.task_done",
      subject: { kind: "order", id: orderId },
      after: { task: uid, kind },
    });
  });
  return at;
}
