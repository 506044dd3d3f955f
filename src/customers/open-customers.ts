import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { openBalances } from "../ledger/balance-queries.ts";
import { bucketOf, type CustomerRef } from "../ledger/customer-ref.ts";
import { type CustomerRow, newCustomer } from "./customer.ts";

// A second transaction waits here for the first one's commit, and writes nothing; in a fixed order, so that no two deadlock.
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

interface Made extends CustomerRef {
  readonly storefrontId: string;
}

/**
 * Takes storefront ids, each named once, for new customers, and opens their balances. The caller must insert the customers' rows in the
 * same transaction (`insertCustomers`). Returns them by storefront id, without those that another transaction just created.
 */
export async function openCustomers(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  storefrontIds: readonly string[],
): Promise<Map<string, CustomerRow>> {
  if (storefrontIds.length === 0) return new Map();
  const uids = storefrontIds.map(() => deps.random.uid());
  const now = deps.clock.now();
  const made = await tx.query<Made>(INSERT_ALIASES, [storefrontIds, uids.map(bucketOf), uids]);
  await openBalances(tx, made, now);
  return new Map(made.map(({ storefrontId, ...ref }) => [storefrontId, newCustomer(storefrontId, ref, now)]));
}
