import type { Tx } from "../db/pool.ts";
import type { LockedBalance } from "../ledger/balance-queries.ts";
import { selectAwaiting } from "./customer-queries.ts";
import { isEmptied } from "./profile/update-causes.ts";

/**
 * Returns the uids of those customers whose balance is emptied and who await points: an order gives them after its pending days (program.md 4,
 * When). The balances are locked. Reads nothing if none of them is emptied.
 */
export async function readAwaiting(tx: Tx, balances: readonly LockedBalance[]): Promise<ReadonlySet<string>> {
  const emptied = balances.filter(isEmptied);
  return emptied.length === 0 ? new Set() : selectAwaiting(tx, emptied);
}
