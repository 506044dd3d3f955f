import type { Tx } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";
import { OWNS_NOTHING } from "./owns-nothing.ts";

const SELECT_IDLE = `select c.customer_uid as "customerUid"
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join customer c on c.bucket = k.bucket and c.customer_uid = k.customer_uid
where c.deleted_at is null
  and ${OWNS_NOTHING}`;

/**
 * Returns the uids of those customers who have nothing besides a profile, a tier and the ledger: whoever deletes them takes no order from anybody
 * that may still earn, and no coupon. Their balances must be locked.
 */
export async function findIdleCustomers(tx: Tx, refs: readonly CustomerRef[]): Promise<ReadonlySet<string>> {
  if (refs.length === 0) return new Set();
  const rows = await tx.query<{ customerUid: string }>(SELECT_IDLE, refKeys(refs));
  return new Set(rows.map(({ customerUid }) => customerUid));
}
