import type { Queryable } from "../../db/pool.ts";
import type { Hold } from "../../ledger/holds/hold.ts";
import { selectHold } from "../../ledger/holds/hold-queries.ts";
import { Problem } from "../../problems.ts";

/**
 * Returns a reservation by its id. Throws `reservation_not_found`, also for a hold without an end: it has the points of a coupon whose code
 * is being created at the platform, and only that coupon takes or releases them (program.md 3).
 */
export async function readReservation(queryable: Queryable, uid: string): Promise<Hold> {
  const hold = await selectHold(queryable, uid);
  if (hold === undefined || hold.expiresAt === null) throw new Problem("reservation_not_found");
  return hold;
}
