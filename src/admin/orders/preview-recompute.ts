import type { Deps } from "../../deps.ts";
import type { PostingDeps } from "../../ledger/posting-batch.ts";
import { type RecomputedOrder, recomputeOrder } from "../../orders/recompute-order.ts";
import { Problem } from "../../problems.ts";

/**
 * What recomputing an order would change, to the point, the balance's answers included: it is done in a transaction that is rolled
 * back, so that nothing is visible to others or kept. Throws `not_found`.
 */
export async function previewRecompute(
  deps: PostingDeps & Pick<Deps, "db">,
  orderId: string,
): Promise<RecomputedOrder> {
  const undone = new Error("a preview is rolled back");
  const found: { order?: RecomputedOrder | undefined } = {};
  try {
    await deps.db.tx(async (tx) => {
      found.order = await recomputeOrder(tx, deps, orderId);
      throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  }
  if (found.order === undefined) throw new Problem("not_found");
  return found.order;
}
