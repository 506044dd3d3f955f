import type { Tx } from "../db/pool.ts";
import { lockUnmergedBalances } from "../ledger/balance-queries.ts";

const NEXT = `select h.bucket,
  h.customer_uid as "customerUid",
  h.occurred_at as "occurredAt",
  h.n
from history_entry h
where h.import_uid = $1
order by h.n
limit $2`;

const DELETE = `delete from history_entry h
using unnest($2::smallint[], $3::uuid[], $4::timestamptz[], $5::bigint[]) as k (bucket, customer_uid, occurred_at, n)
where h.bucket = k.bucket
  and h.customer_uid = k.customer_uid
  and h.occurred_at = k.occurred_at
  and h.import_uid = $1
  and h.n = k.n`;

interface EntryKey {
  readonly bucket: number;
  readonly customerUid: string;
  readonly occurredAt: Temporal.Instant;
  readonly n: bigint;
}

/**
 * Removes the next `limit` entries of an import, whichever customer has them now, under the locks of the balances: a merge in progress, which moves them,
 * is waited for, and the transaction starts over. Returns how many; fewer than `limit` means that none are left.
 */
export async function removeHistory(
  tx: Tx,
  { importUid, limit }: { readonly importUid: string; readonly limit: number },
): Promise<number> {
  const keys = await tx.query<EntryKey>(NEXT, [importUid, limit]);
  if (keys.length === 0) return 0;
  await lockUnmergedBalances(tx, keys);
  await tx.execute(DELETE, [
    importUid,
    keys.map(({ bucket }) => bucket),
    keys.map(({ customerUid }) => customerUid),
    keys.map(({ occurredAt }) => occurredAt),
    keys.map(({ n }) => n),
  ]);
  return keys.length;
}
