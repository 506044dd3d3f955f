import type { Tx } from "../db/pool.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import type { OrderDeleted, OrderEdited } from "../platforms/neutral-events.ts";
import { isOrderStatement, mergeFacts, type OrderEvent } from "./facts/merge-facts.ts";
import { isOrderOver } from "./facts/order-facts.ts";
import { lockOrder } from "./order-queries.ts";
import { insertOrder } from "./order-write-queries.ts";
import { postOrder } from "./post-order.ts";
import type { StoreOrder } from "./store-order.ts";

/** All events whose subject is an order. */
export type OrderSubjectEvent = OrderEvent | OrderEdited | OrderDeleted;

/**
 * Applies one event of an order in the caller's transaction (program.md 4): merges it with the known facts, and posts the difference
 * between the order's points now and the points posted before. An event that is applied twice, late or out of order gives the same result.
 * Returns "waiting", and writes nothing, if the order's own statement has not arrived yet: apply the event again after it; "over" if nobody will pay
 * for the order now (`isOrderOver`). Edits and deletions change nothing by themselves. Locks the order, then coupons, then balances.
 */
export async function applyOrderEvent(
  tx: Tx,
  deps: PostingDeps,
  event: OrderSubjectEvent,
): Promise<"applied" | "over" | "waiting"> {
  if (event.type === "OrderEdited" || event.type === "OrderDeleted") return "applied";
  const known = await lockOrder(tx, event.payload.orderId);
  if (known === undefined && !isOrderStatement(event)) return "waiting";
  const order = known === undefined ? await openOrder(tx, deps, event) : withEvent(known, event);
  await postOrder(tx, deps, order);
  return isOrderOver(order.facts) ? "over" : "applied";
}

function withEvent(order: StoreOrder, event: OrderEvent): StoreOrder {
  return { ...order, facts: mergeFacts(order.facts, event) };
}

/** Inserts a new order, or reads the one that another transaction has just inserted. */
async function openOrder(tx: Tx, deps: PostingDeps, event: OrderEvent): Promise<StoreOrder> {
  const facts = mergeFacts(null, event);
  const { orderId } = facts;
  const order = { orderId, platform: event.platform, facts, receivedAt: deps.clock.now() };
  if (await insertOrder(tx, order)) return { ...order, customer: null, rules: null, rulesFor: null };
  const known = await lockOrder(tx, orderId);
  if (known === undefined) throw new Error(`order ${orderId} vanished`);
  return withEvent(known, event);
}
