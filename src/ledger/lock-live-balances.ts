import type { Tx } from "../db/pool.ts";
import { staleRead } from "../db/stale-read.ts";
import type { CustomerRef } from "./customer-ref.ts";
import type { LockedBalance } from "./lock-balances.ts";
import { lockUnmergedBalances } from "./lock-unmerged-balances.ts";

/**
 * Locks balances until the transaction ends, as `lockBalances`. Where a customer has been merged into another or deleted since the
 * caller looked them up, the transaction starts over and sees it: a deleted customer's balance was closed, and stays closed.
 */
export async function lockLiveBalances(tx: Tx, refs: readonly CustomerRef[]): Promise<LockedBalance[]> {
  const locked = await lockUnmergedBalances(tx, refs);
  const deleted = locked.find(({ isDeleted }) => isDeleted);
  if (deleted !== undefined) throw staleRead(`customer ${deleted.customerUid} was deleted meanwhile`);
  return locked;
}
