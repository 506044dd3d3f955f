import type { Tx } from "../../db/pool.ts";
import type { PostingDeps } from "../../ledger/queue/posting-batch.ts";
import { processedAt } from "../facts/order-facts.ts";
import { postOrder } from "../post-order.ts";
import { readMovedIn } from "../read-moved-in.ts";
import type { StoreOrder } from "../store-order.ts";

/**
 * Reads again whether files of other apps contain an order's points and spend, and posts the difference. Everything else by which the order
 * was evaluated stays: of an order that a merge gave to another customer, the tier would be that customer's, who was in another one at the
 * time. The order must be locked; repeating it changes nothing.
 */
export async function reevaluateMovedIn(tx: Tx, deps: PostingDeps, order: StoreOrder): Promise<void> {
  const { rules, customer, facts, receivedAt } = order;
  if (rules === null || customer === null) return; // what has no rules yet reads them when it gets some
  const [movedIn] = await readMovedIn(tx, [{ customer, instant: processedAt(facts) ?? receivedAt, receivedAt }]);
  if (movedIn === undefined) throw new Error(`order ${order.orderId} was not looked up`);
  if (movedIn.points === rules.movedIn.points && movedIn.spend === rules.movedIn.spend) return;
  await postOrder(tx, deps, { ...order, rules: { ...rules, movedIn } });
}
