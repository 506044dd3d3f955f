import type { Queryable } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import type { Hold } from "../../ledger/holds/hold.ts";
import { readBalances } from "../../ledger/read/read-balances.ts";
import { viewReservation } from "./view.ts";

/** Returns the answer of every reservation route: the reservation and its customer's available points. */
export async function showReservation(
  queryable: Queryable,
  deps: Pick<Deps, "clock">,
  hold: Hold,
): Promise<ReturnType<typeof viewReservation>> {
  const balance = (await readBalances(deps, queryable, [hold.customer])).get(hold.customer.customerUid);
  if (balance === undefined) throw new Error(`reservation ${hold.uid} has no balance`);
  return viewReservation(hold, balance, deps.clock.now());
}
