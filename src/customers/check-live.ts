import type { Tx } from "../db/pool.ts";
import { staleRead } from "../db/stale-read.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";

const FIND_DELETED = `select c.customer_uid as "customerUid"
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join customer c on c.bucket = k.bucket and c.customer_uid = k.customer_uid
where c.deleted_at is not null
limit 1`;

/**
 * Looks, under the locks of the customers' balances, whether one was deleted since its row was read: the transaction starts over
 * then, and sees it.
 */
export async function checkLive(tx: Tx, refs: readonly CustomerRef[]): Promise<void> {
  const keys = [refs.map(({ bucket }) => bucket), refs.map(({ customerUid }) => customerUid)];
  const [deleted] = await tx.query<{ customerUid: string }>(FIND_DELETED, keys);
  if (deleted !== undefined) throw staleRead(`customer ${deleted.customerUid} was deleted meanwhile`);
}
