import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { openBalances } from "../ledger/balance-queries.ts";
import { bucketOf, type CustomerRef } from "../ledger/customer-ref.ts";

// The second transaction waits here for the first one's commit, and writes nothing; in order, so that no two wait for each other.
const INSERT_ALIASES = `insert into customer_alias (storefront_id, bucket, customer_uid)
select k.storefront_id,
  k.bucket,
  k.customer_uid
from unnest($1::text[], $2::smallint[], $3::uuid[]) as k (storefront_id, bucket, customer_uid)
order by k.storefront_id
on conflict (storefront_id) do nothing
returning storefront_id as "storefrontId",
  bucket,
  customer_uid as "customerUid"`;

const INSERT_CUSTOMERS = `insert into customer (storefront_id, bucket, customer_uid, created_at)
select k.storefront_id,
  k.bucket,
  k.customer_uid,
  $4
from unnest($1::text[], $2::smallint[], $3::uuid[]) as k (storefront_id, bucket, customer_uid)`;

interface Made extends CustomerRef {
  readonly storefrontId: string;
}

/**
 * Creates customers of whom only the storefront id is known, each named once, with empty balances. Returns them by storefront id,
 * without those that somebody else just created.
 */
export async function createCustomers(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  storefrontIds: readonly string[],
): Promise<Map<string, CustomerRef>> {
  if (storefrontIds.length === 0) return new Map();
  const uids = storefrontIds.map(() => deps.random.uid());
  const now = deps.clock.now();
  const made = await tx.query<Made>(INSERT_ALIASES, [storefrontIds, uids.map(bucketOf), uids]);
  await Promise.all([
    tx.execute(INSERT_CUSTOMERS, [
      made.map(({ storefrontId }) => storefrontId),
      made.map(({ bucket }) => bucket),
      made.map(({ customerUid }) => customerUid),
      now,
    ]),
    openBalances(tx, made, now),
  ]);
  return new Map(made.map(({ storefrontId, bucket, customerUid }) => [storefrontId, { bucket, customerUid }]));
}
