import type { Queryable } from "../db/pool.ts";
import type { Hold } from "../ledger/hold.ts";
import { selectHold } from "../ledger/hold-queries.ts";
import { Problem } from "../problems.ts";

/** A reservation by its id. Throws `reservation_not_found`. */
export async function readReservation(queryable: Queryable, uid: string): Promise<Hold> {
  const hold = await selectHold(queryable, uid);
  if (hold === undefined) throw new Problem("reservation_not_found");
  return hold;
}
