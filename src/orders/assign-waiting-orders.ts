import type { Deps } from "../deps.ts";
import type { PostingDeps } from "../ledger/posting-batch.ts";
import { lockAssignableOrder } from "./order-queries.ts";
import { postOrder } from "./post-order.ts";
import { runEach } from "./run-each.ts";
import type { StoreOrder } from "./store-order.ts";

/**
 * Gives guests' orders to customers who got the e-mail other than by a platform's event, for example by `PUT` or CSV (program.md 4), one order per
 * transaction. Returns how many orders were processed.
 */
export async function assignWaitingOrders(deps: PostingDeps & Pick<Deps, "db" | "log">): Promise<number> {
  return runEach<StoreOrder>(deps, {
    what: "assigning a guest's order",
    idOf: ({ orderId }) => orderId,
    lockNext: lockAssignableOrder,
    work: (tx, order) => postOrder(tx, deps, order),
  });
}
