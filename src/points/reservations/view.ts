import { type ShownBalance, viewBalance } from "../../ledger/balance-view.ts";
import { type Hold, holdStateAt } from "../../ledger/hold.ts";
import { formatInstant } from "../../time/store-time.ts";

/** A reservation's members on the wire, at a moment, with the balance of its customer. */
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
