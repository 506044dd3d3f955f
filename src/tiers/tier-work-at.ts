import type { Queryable } from "../db/pool.ts";
import { selectMayMove } from "./evaluation-queries.ts";
import { nextTierCheckAt } from "./next-tier-check-at.ts";

/** Like `nextTierCheckAt`, but null if no check can move anybody: no customer is above the default tier, skips a check or has spent. */
export async function tierWorkAt(queryable: Queryable): Promise<Temporal.Instant | null> {
  return (await selectMayMove(queryable)) ? nextTierCheckAt(queryable) : null;
}
