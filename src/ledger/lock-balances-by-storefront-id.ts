import type { Tx } from "../db/pool.ts";
import { BALANCE_COLUMNS, type LockedBalance } from "./lock-balances.ts";

const LOCK_BY_STOREFRONT_ID = `select ${BALANCE_COLUMNS}
from balance b
where (b.bucket, b.customer_uid) in (
  select a.bucket, a.customer_uid
  from customer_alias a
  where a.storefront_id = any($1))
order by b.bucket, b.customer_uid
for no key update of b`;

/** Locks the balances of customers named by storefront id; unknown ids are passed over. */
export function lockBalancesByStorefrontId(tx: Tx, storefrontIds: readonly string[]): Promise<LockedBalance[]> {
  return tx.query<LockedBalance>(LOCK_BY_STOREFRONT_ID, [storefrontIds]);
}
