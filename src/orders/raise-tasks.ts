import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { OrderPostingRow } from "./store-order.ts";

const INSERT_TASK = `insert into staff_task (uid, kind, subject, bucket, customer_uid, detail, created_at)
values ($1, $2, $3, $4, $5, $6, $7)`;

/** Raises a task for each posting that the balance refused: points to be taken by hand, or an award beyond the limit. */
export async function raiseTasks(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  orderId: string,
  rows: readonly OrderPostingRow[],
): Promise<void> {
  for (const { cause, wanted, customer, result } of rows) {
    if (result !== "refused") continue;
    await tx.execute(INSERT_TASK, [
      deps.random.uid(),
      wanted < 0n ? "points_not_taken" : "points_not_given",
      `order/${orderId}`,
      customer?.bucket ?? null,
      customer?.customerUid ?? null,
      JSON.stringify({ cause, points: wanted.toString() }),
      deps.clock.now(),
    ]);
  }
}
