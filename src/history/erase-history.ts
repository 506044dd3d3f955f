import type { Tx } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";

const ERASE = `delete from history_entry h
using unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where h.bucket = k.bucket
  and h.customer_uid = k.customer_uid`;

/** Removes the history of an erased person. */
export async function eraseHistory(tx: Tx, refs: readonly CustomerRef[]): Promise<void> {
  await tx.execute(ERASE, refKeys(refs));
}
