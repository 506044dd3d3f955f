import type { Tx } from "../db/pool.ts";
import type { LockedBalance } from "../ledger/balance-queries.ts";
import { refKeys } from "../ledger/customer-ref.ts";
import { isEmptied } from "./profile/update-causes.ts";

const SELECT_AWAITING = `select k.customer_uid as "customerUid"
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where exists (
  select
  from store_order o
  where o.bucket = k.bucket
    and o.customer_uid = k.customer_uid
    and o.due_at is not null
    and o.awardable_points > o.awarded_points)`;

/**
 * Returns the uids of those customers whose balance is emptied and who await points: an order gives them after its pending days (program.md 4,
 * When). The balances are locked. Reads nothing if none of them is emptied.
 */
export async function readAwaiting(tx: Tx, balances: readonly LockedBalance[]): Promise<ReadonlySet<string>> {
  const emptied = balances.filter(isEmptied);
  if (emptied.length === 0) return new Set();
  const rows = await tx.query<{ customerUid: string }>(SELECT_AWAITING, refKeys(emptied));
  return new Set(rows.map(({ customerUid }) => customerUid));
}
