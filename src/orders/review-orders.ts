import { type BackpressureDeps, pauseWhileBusy } from "../db/backpressure.ts";
import type { Deps } from "../deps.ts";
import type { PostingDeps } from "../ledger/posting-batch.ts";
import { reviewCustomers } from "./review-customers.ts";
import { reviewProgram } from "./review-program.ts";

/**
 * Re-evaluates what was evaluated by something that is known otherwise now (program.md 4 and 9): a program that holds for a time before it
 * was made, a tier that a late check gave, tags that came late. In small pieces, giving way to requests, until nothing is left or
 * `isOver` says that it was enough; the rest is done another time. Returns how many orders and customers were looked at.
 */
export async function reviewOrders(
  deps: PostingDeps & BackpressureDeps & Pick<Deps, "db" | "log">,
  isOver: () => boolean = () => false,
): Promise<number> {
  let looked = await reviewCustomers(deps);
  while (!isOver()) {
    const startedMs = performance.now();
    const orders = await reviewProgram(deps);
    if (orders === null) break;
    looked += orders;
    await pauseWhileBusy(deps, performance.now() - startedMs);
  }
  return looked;
}
