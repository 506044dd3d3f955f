import type { Tx } from "../db/pool.ts";
import { staleRead } from "../db/stale-read.ts";
import type { CustomerRef } from "./customer-ref.ts";
import { type LockedBalance, lockBalances } from "./lock-balances.ts";

const SELECT_REMOVED = `select k.customer_uid as "customerUid"
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where not exists (select from customer c where c.bucket = k.bucket and c.customer_uid = k.customer_uid)`;

/**
 * Locks balances until the transaction ends, as `lockBalances`, of customers deleted or not. Where a customer has been merged into
 * another, or was removed as if they had never been, since the caller looked them up, the transaction starts over and sees it.
 */
export async function lockUnmergedBalances(tx: Tx, refs: readonly CustomerRef[]): Promise<LockedBalance[]> {
  const locked = await lockBalances(tx, refs);
  const merged = locked.find(({ mergedInto }) => mergedInto !== null);
  if (merged !== undefined) throw staleRead(`customer ${merged.customerUid} was merged into ${merged.mergedInto}`);
  const found = new Set(locked.map(({ customerUid }) => customerUid));
  const missing = refs.filter(({ customerUid }) => !found.has(customerUid));
  if (missing.length > 0) await refuseRemoved(tx, missing);
  return locked;
}

/** A customer without a balance is a bug, which whoever needs the balance meets; one who is gone was removed meanwhile. */
async function refuseRemoved(tx: Tx, refs: readonly CustomerRef[]): Promise<void> {
  const keys = [refs.map(({ bucket }) => bucket), refs.map(({ customerUid }) => customerUid)];
  const [removed] = await tx.query<{ customerUid: string }>(SELECT_REMOVED, keys);
  if (removed !== undefined) throw staleRead(`customer ${removed.customerUid} was removed meanwhile`);
}
