import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { StoredTier } from "./tier-queries.ts";

const SELECT_TIERS = `select t.customer_uid as "customerUid",
  t.tier_uid as "tierUid",
  t.minimum_tier_uid as "minimumTierUid",
  t.skip_next_check as "skipNextCheck"
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join customer_tier t on t.bucket = k.bucket and t.customer_uid = k.customer_uid`;

/** What is stored of some customers' tiers, by customer; who was never placed is absent. */
export async function selectTiers(
  tx: Pick<Tx, "query">,
  customers: readonly CustomerRef[],
): Promise<Map<string, StoredTier>> {
  const rows = await tx.query<StoredTier & { customerUid: string }>(SELECT_TIERS, [
    customers.map(({ bucket }) => bucket),
    customers.map(({ customerUid }) => customerUid),
  ]);
  return new Map(rows.map(({ customerUid, ...stored }) => [customerUid, stored]));
}
