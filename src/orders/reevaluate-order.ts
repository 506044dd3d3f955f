import type { Tx } from "../db/pool.ts";
import type { PostingDeps } from "../ledger/posting-batch.ts";
import { postOrder } from "./post-order.ts";
import { selectOrderPoints } from "./recompute-queries.ts";
import type { StoreOrder } from "./store-order.ts";

/**
 * Takes an order's rules anew, by what is known now of its processed time, and posts the difference as an event of it would: the
 * same plan, the same natural keys, so that doing it again changes nothing. What was pinned of its products stays. The order is locked.
 * Returns by how many points what it gave changed.
 */
export async function reevaluateOrder(tx: Tx, deps: PostingDeps, order: StoreOrder): Promise<bigint> {
  const before = await selectOrderPoints(tx, order.orderId);
  await postOrder(tx, deps, { ...order, rulesFor: null });
  const after = await selectOrderPoints(tx, order.orderId);
  return after.awardedPoints - before.awardedPoints;
}
