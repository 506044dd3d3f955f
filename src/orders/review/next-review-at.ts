import { hasReviews } from "../../customers/order-review-queries.ts";
import type { Deps } from "../../deps.ts";
import { hasOpenReview } from "./program-review-queries.ts";

/** Returns when `reviewOrders` has something to do: now, or null if every order is evaluated with the present data. */
export async function nextReviewAt(deps: Pick<Deps, "db" | "clock">): Promise<Temporal.Instant | null> {
  const [customers, programs] = await Promise.all([hasReviews(deps.db), hasOpenReview(deps.db)]);
  return customers || programs ? deps.clock.now() : null;
}
