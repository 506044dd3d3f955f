import type { Deps } from "../deps.ts";
import type { PostingDeps } from "../ledger/posting-batch.ts";
import { lockAdoptableOrder } from "./order-queries.ts";
import { postOrder } from "./post-order.ts";
import { runEach } from "./run-each.ts";
import type { StoreOrder } from "./store-order.ts";

/**
 * Gives guests' orders to customers who got the e-mail otherwise than by a platform's event, by `PUT` or CSV say (program.md 4),
 * an order a transaction. Returns how many were done.
 */
export async function adoptWaitingOrders(deps: PostingDeps & Pick<Deps, "db" | "log">): Promise<number> {
  return runEach<StoreOrder>(deps, {
    what: "adopting a guest's order",
    idOf: ({ orderId }) => orderId,
    lockNext: lockAdoptableOrder,
    work: (tx, order) => postOrder(tx, deps, order),
  });
}
