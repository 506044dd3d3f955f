import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { PostingDeps } from "../ledger/post-allotments.ts";
import { lockDueOrder } from "./order-queries.ts";
import { postOrder } from "./post-order.ts";

/** Orders done by one call at most, so that a worker can stop in between. */
const BATCH = 500;

/**
 * Awards what has passed its pending days (program.md 4, When), longest due first, an order a transaction; orders that another
 * node has in hand are passed over. One that fails is logged and left for the next call. Answers how many were done.
 */
export async function awardPendingOrders(deps: PostingDeps & Pick<Deps, "db" | "log">): Promise<number> {
  const failed: string[] = [];
  for (let done = 0; done < BATCH; ) {
    let orderId: string | null = null;
    const work = async (tx: Tx): Promise<void> => {
      const order = await lockDueOrder(tx, deps.clock.now(), failed);
      orderId = order?.orderId ?? null;
      if (order !== undefined) await postOrder(tx, deps, order);
    };
    try {
      await deps.db.tx(work);
    } catch (error) {
      if (orderId === null) throw error;
      deps.log.error({ error, orderId }, "a pending order could not be awarded");
      failed.push(orderId);
      continue;
    }
    if (orderId === null) return done;
    done += 1;
  }
  return BATCH;
}
