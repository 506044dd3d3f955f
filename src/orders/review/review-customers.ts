import { advanceReview, lockNextReview, type OrderReview } from "../../customers/order-review-queries.ts";
import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import type { PostingDeps } from "../../ledger/queue/posting-batch.ts";
import { lockCouponsOf } from "../coupons/coupon-use-queries.ts";
import { lockOrdersSince } from "../order-queries.ts";
import { runEach } from "../run-each.ts";
import { reevaluateMovedIn } from "./reevaluate-moved-in.ts";
import { reevaluateOrder } from "./reevaluate-order.ts";

/** Orders per transaction: all are locked before the first is posted, then their coupons, because both come before balances. */
const ORDERS_AT_ONCE = 50;

/**
 * Re-evaluates orders of customers whose tier or tags changed for a past time (program.md 4, Snapshot), or to whom another app's file gave
 * something, one customer per transaction, storing the progress. Returns how many customers were processed.
 */
export async function reviewCustomers(deps: PostingDeps & Pick<Deps, "db" | "log">): Promise<number> {
  return runEach<OrderReview>(deps, {
    what: "re-evaluating a customer's orders",
    idOf: ({ uid }) => uid,
    lockNext: lockNextReview,
    work: (tx, review) => work(tx, deps, review),
  });
}

async function work(tx: Tx, deps: PostingDeps, { uid, customer, cause, from, afterId }: OrderReview): Promise<void> {
  const orders = await lockOrdersSince(tx, customer, { from, afterId, limit: ORDERS_AT_ONCE });
  await lockCouponsOf(tx, orders);
  const reevaluate = cause === "move" ? reevaluateMovedIn : reevaluateOrder;
  for (const order of orders) await reevaluate(tx, deps, order);
  const last = orders.length < ORDERS_AT_ONCE ? null : (orders.at(-1)?.orderId ?? null);
  await advanceReview(tx, uid, last);
}
