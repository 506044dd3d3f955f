import { type Hold, holdStateAt } from "../../ledger/holds/hold.ts";
import type { ShownBalance } from "../../ledger/read/read-balances.ts";
import { formatInstant } from "../../time/store-time.ts";
import { viewBalance } from "../balances/view.ts";

/** Returns a reservation on the wire, at a moment, with the balance of its customer. */
export function viewReservation(hold: Hold, balance: ShownBalance, now: Temporal.Instant) {
  return {
    data: {
      id: hold.uid,
      customer_id: balance.storefrontId,
      point_value: hold.points,
      captured: hold.captured,
      state: holdStateAt(hold, now),
      expires_at: hold.expiresAt === null ? null : formatInstant(hold.expiresAt),
      point_balance: viewBalance(balance),
    },
  };
}
