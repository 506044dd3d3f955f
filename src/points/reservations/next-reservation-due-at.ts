import type { Queryable } from "../../db/pool.ts";
import { selectNextHoldEnd } from "../../ledger/holds/hold-queries.ts";

/** Returns the earliest time at which `releaseDueReservations` has something to do; null: no reservation has an end. */
export function nextReservationDueAt(queryable: Queryable): Promise<Temporal.Instant | null> {
  return selectNextHoldEnd(queryable);
}
