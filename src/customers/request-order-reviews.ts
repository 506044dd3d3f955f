import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { insertReviews, type ReviewCause } from "./order-review-queries.ts";

/**
 * Requests the re-evaluation of orders, in the transaction in which data of a past time changes: a tier, the tags. The balances must be
 * locked: an order that is being evaluated at the same time and is not visible here sees the change as soon as it gets that lock. Writes a
 * row for each customer with an order processed at or after `from`; locks no order.
 */
export async function requestOrderReviews(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  customers: readonly CustomerRef[],
  { cause, from }: { readonly cause: ReviewCause; readonly from: Temporal.Instant },
): Promise<void> {
  if (customers.length === 0) return;
  const uids = customers.map(() => deps.random.uid());
  await insertReviews(tx, { uids, customers }, { cause, from, now: deps.clock.now() });
}
