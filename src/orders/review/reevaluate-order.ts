import type { Tx } from "../../db/pool.ts";
import type { PostingDeps } from "../../ledger/queue/posting-batch.ts";
import { postOrder } from "../post-order.ts";
import type { StoreOrder } from "../store-order.ts";
import { selectOrderPoints } from "./recompute-queries.ts";

/**
 * Takes an order's rules again, with the present data about its processed time, and posts the difference like an event of the order would:
 * with the same plan and natural keys, so that repeating it changes nothing. Pinned product data stays. The order must be locked. Returns
 * by how many points its award changed.
 */
export async function reevaluateOrder(tx: Tx, deps: PostingDeps, order: StoreOrder): Promise<bigint> {
  const before = await selectOrderPoints(tx, order.orderId);
  await postOrder(tx, deps, { ...order, rulesFor: null });
  const after = await selectOrderPoints(tx, order.orderId);
  return after.awardedPoints - before.awardedPoints;
}
