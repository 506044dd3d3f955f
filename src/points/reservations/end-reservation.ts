import type { Tx } from "../../db/pool.ts";
import { type EndHoldInput, endHold } from "../../ledger/holds/end-hold.ts";
import type { Hold } from "../../ledger/holds/hold.ts";
import type { PostingDeps } from "../../ledger/queue/posting-batch.ts";
import { readReservation } from "./read-reservation.ts";

/**
 * Captures a reservation, completely or in part, or releases it, like `endHold` (program.md 3). Throws `reservation_not_found`,
 * `reservation_captured`, `reservation_released`, and `invalid` for more points than it holds.
 */
export async function endReservation(tx: Tx, deps: PostingDeps, input: Omit<EndHoldInput, "spend">): Promise<Hold> {
  await readReservation(tx, input.uid);
  return endHold(tx, deps, input);
}
