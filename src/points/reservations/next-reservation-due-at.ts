import type { Queryable } from "../../db/pool.ts";
import { selectNextHoldEnd } from "../../ledger/hold-queries.ts";

/** The earliest time at which `releaseDueReservations` has something to do; null: nothing is held for a time. */
export function nextReservationDueAt(queryable: Queryable): Promise<Temporal.Instant | null> {
  return selectNextHoldEnd(queryable);
}
