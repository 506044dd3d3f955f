import type { Tx } from "../db/pool.ts";
import { staleRead } from "../db/stale-read.ts";
import type { CustomerRef } from "./customer-ref.ts";
import { type LockedBalance, lockBalances } from "./lock-balances.ts";

/**
 * Locks balances until the transaction ends, as `lockBalances`, of customers deleted or not. Where a customer has been merged into
 * another, or removed as if they had never been, since the caller looked them up, the transaction starts over and sees it.
 */
export async function lockUnmergedBalances(tx: Tx, refs: readonly CustomerRef[]): Promise<LockedBalance[]> {
  const locked = await lockBalances(tx, refs);
  const merged = locked.find(({ mergedInto }) => mergedInto !== null);
  if (merged !== undefined) throw staleRead(`customer ${merged.customerUid} was merged into ${merged.mergedInto}`);
  const wanted = new Set(refs.map(({ customerUid }) => customerUid));
  if (locked.length < wanted.size) throw staleRead("a customer was removed meanwhile");
  return locked;
}
