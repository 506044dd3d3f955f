import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import type { PostingDeps } from "../../ledger/queue/posting-batch.ts";
import { recomputeOrder } from "../../orders/review/recompute-order.ts";
import { invalid, Problem } from "../../problems.ts";
import { viewRecomputed } from "./recompute-view.ts";
import type { RecomputedView } from "./schema.ts";

/**
 * Recomputes an order and stores the result, if the changes are exactly those that were shown under `digest`. If nothing changes any more, as on a
 * second click, it says so. Throws `not_found`, and `invalid` if the changes would be different now.
 */
export async function applyRecompute(
  deps: PostingDeps & Pick<Deps, "db">,
  orderId: string,
  digest: string,
): Promise<RecomputedView> {
  return deps.db.tx(async (tx) => {
    const recomputed = await recomputeOrder(tx, deps, orderId);
    if (recomputed === undefined) throw new Problem("not_found");
    const view = viewRecomputed(recomputed);
    if (!view.is_changed) return view;
    if (view.digest !== digest)
      throw invalid("/digest", "the order has changed since the difference was shown: look again");
    const { before, after, postings, products, customer_excluded } = view;
    await recordAction(tx, deps, {
      action: "order.recomputed",
      subject: { kind: "order", id: orderId },
      before,
      after: { ...after, postings, products, customer_excluded },
    });
    return view;
  });
}
