import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import { finishTask } from "../../orders/finish-task.ts";
import { Problem } from "../../problems.ts";

/** Marks a task of an order done. Throws `not_found` where it is none of the order's, or was done before. */
export async function finishOrderTask(
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
