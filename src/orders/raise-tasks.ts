import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { OrderPostingRow } from "./store-order.ts";

const INSERT_TASK = `insert into staff_task (uid, kind, subject, bucket, customer_uid, detail, created_at)
values ($1, $2, $3, $4, $5, $6, $7)`;

/** A posting that had no effect and is not requested again: its balance refused it, or another posting has its key. */
export interface LostPosting extends Pick<OrderPostingRow, "cause" | "customer" | "result"> {
  /** Signed: the requested points. */
  readonly points: bigint;
}

/** Creates a task for each lost posting: points to be taken or given by hand. */
export async function raiseTasks(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  orderId: string,
  lost: readonly LostPosting[],
): Promise<void> {
  for (const { cause, points, customer, result } of lost) {
    await tx.execute(INSERT_TASK, [
      deps.random.uid(),
      kindOf(points, result),
      `order/${orderId}`,
      customer?.bucket ?? null,
      customer?.customerUid ?? null,
      JSON.stringify({ cause, points: points.toString() }),
      deps.clock.now(),
    ]);
  }
}

function kindOf(points: bigint, result: LostPosting["result"]): string {
  if (result === "duplicate") return points < 0n ? "refund_key_used" : "award_key_used";
  return points < 0n ? "points_not_taken" : "points_not_given";
}
