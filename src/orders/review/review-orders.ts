import { type BackpressureDeps, pauseWhileBusy } from "../../db/backpressure.ts";
import type { Deps } from "../../deps.ts";
import type { PostingDeps } from "../../ledger/queue/posting-batch.ts";
import { reviewCustomers } from "./review-customers.ts";
import { reviewProgram } from "./review-program.ts";

/**
 * Re-evaluates orders whose data has changed since (program.md 4 and 9): a program that starts in the past, a tier from a late check, tags
 * that arrived late. Works in small pieces and slows down for requests, until nothing is left or `isOver` returns true; the rest is done
 * later. Returns how many orders and customers were processed.
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
