import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";

const NEXT = `select b.bucket,
  b.customer_uid as "customerUid",
  b.as_of as "asOf"
from customer_spend_base b
where b.import_uid = $1
limit $2`;

const DELETE = `delete from customer_spend_base b
using unnest($2::smallint[], $3::uuid[], $4::timestamptz[]) as k (bucket, customer_uid, as_of)
where b.bucket = k.bucket
  and b.customer_uid = k.customer_uid
  and b.as_of = k.as_of
  and b.import_uid = $1`;

interface BaseKey extends CustomerRef {
  readonly asOf: Temporal.Instant;
}

/**
 * Removes the next `limit` spends of an import, whoever has them now; tiers stay until the next check. Returns their customers: fewer than
 * `limit` when all are removed.
 */
export async function removeSpendBase(
  tx: Tx,
  { importUid, limit }: { readonly importUid: string; readonly limit: number },
): Promise<readonly CustomerRef[]> {
  const keys = await tx.query<BaseKey>(NEXT, [importUid, limit]);
  if (keys.length === 0) return [];
  await tx.execute(DELETE, [
    importUid,
    keys.map(({ bucket }) => bucket),
    keys.map(({ customerUid }) => customerUid),
    keys.map(({ asOf }) => asOf),
  ]);
  return keys;
}
