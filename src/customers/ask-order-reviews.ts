import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { insertReviews, type ReviewCause } from "./order-review-queries.ts";

/**
 * Asks for orders to be re-evaluated, in the transaction in which what they were evaluated by became another for a time that may have
 * passed: a tier, the tags. The balances are locked: an order that is being evaluated meanwhile and is not seen here sees the change itself
 * as soon as it has that lock. Writes a row for each customer with an order processed at or after `from`; locks no order.
 */
export async function askOrderReviews(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  customers: readonly CustomerRef[],
  { cause, from }: { readonly cause: ReviewCause; readonly from: Temporal.Instant },
): Promise<void> {
  if (customers.length === 0) return;
  const uids = customers.map(() => deps.random.uid());
  await insertReviews(tx, { uids, customers }, { cause, from, now: deps.clock.now() });
}
