import type { Deps } from "../deps.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import { lockDueOrder } from "./order-queries.ts";
import { postOrder } from "./post-order.ts";
import { runEach } from "./run-each.ts";
import type { StoreOrder } from "./store-order.ts";

/**
 * Awards orders whose pending days are over (program.md 4, When), longest due first, one order per transaction. Orders that another node is
 * processing are skipped. Returns how many were processed.
 */
export async function awardPendingOrders(deps: PostingDeps & Pick<Deps, "db" | "log">): Promise<number> {
  return runEach<StoreOrder>(deps, {
    what: "awarding a pending order",
    idOf: ({ orderId }) => orderId,
    lockNext: (tx, seen) => lockDueOrder(tx, deps.clock.now(), seen),
    work: (tx, order) => postOrder(tx, deps, order),
  });
}
