import type { Queryable } from "../../db/pool.ts";
import type { Hold } from "../../ledger/hold.ts";
import { selectHold } from "../../ledger/hold-queries.ts";
import { Problem } from "../../problems.ts";

/**
 * A reservation by its id. Throws `reservation_not_found`, also for a hold without an end of its own: the points of a coupon whose
 * code is being made at the platform, which only that coupon takes or releases (program.md 3).
 */
export async function readReservation(queryable: Queryable, uid: string): Promise<Hold> {
  const hold = await selectHold(queryable, uid);
  if (hold === undefined || hold.expiresAt === null) throw new Problem("reservation_not_found");
  return hold;
}
