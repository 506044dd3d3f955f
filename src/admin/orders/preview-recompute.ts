import { rolledBack } from "../../db/rolled-back.ts";
import type { Deps } from "../../deps.ts";
import type { PostingDeps } from "../../ledger/queue/posting-batch.ts";
import { type RecomputedOrder, recomputeOrder } from "../../orders/review/recompute-order.ts";
import { Problem } from "../../problems.ts";

/**
 * Returns the exact changes of recomputing an order, including those of the balance. It recomputes in a transaction that is rolled back, so that
 * nothing is visible to others or stored. Throws `not_found`.
 */
export async function previewRecompute(
  deps: PostingDeps & Pick<Deps, "db">,
  orderId: string,
): Promise<RecomputedOrder> {
  const order = await rolledBack(deps.db, (tx) => recomputeOrder(tx, deps, orderId));
  if (order === undefined) throw new Problem("not_found");
  return order;
}
