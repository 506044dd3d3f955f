import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";

const MERGE = `insert into birthday_reward as r (bucket, customer_uid, celebrated_on)
select $3, $4, o.celebrated_on
from birthday_reward o
where o.bucket = $1
  and o.customer_uid = $2
on conflict (bucket, customer_uid) do update
set celebrated_on = greatest(r.celebrated_on, excluded.celebrated_on)`;

/** The surviving customer of a merge counts as rewarded whenever either of both was (program.md 4, Rewards): once a year for one person. */
export async function mergeRewards(tx: Tx, removed: CustomerRef, kept: CustomerRef): Promise<void> {
  await tx.execute(MERGE, [removed.bucket, removed.customerUid, kept.bucket, kept.customerUid]);
}
