import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { bucketOf, type CustomerRef } from "../ledger/customer-ref.ts";
import { openBalances } from "../ledger/open-balances.ts";

// Whoever comes second waits here for the first one's commit, and writes nothing.
const INSERT_ALIAS = `insert into customer_alias (storefront_id, bucket, customer_uid)
values ($1, $2, $3)
on conflict (storefront_id) do nothing`;

const INSERT_CUSTOMER = `insert into customer (bucket, customer_uid, storefront_id, created_at)
values ($1, $2, $3, $4)`;

/** Creates a customer of whom only the storefront id is known, with an empty balance; null: somebody else just did. */
export async function createCustomer(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  storefrontId: string,
): Promise<CustomerRef | null> {
  const customerUid = deps.random.uid();
  const ref = { bucket: bucketOf(customerUid), customerUid };
  const written = await tx.execute(INSERT_ALIAS, [storefrontId, ref.bucket, customerUid]);
  if (written === 0) return null;
  await Promise.all([
    tx.execute(INSERT_CUSTOMER, [ref.bucket, customerUid, storefrontId, deps.clock.now()]),
    openBalances(tx, [ref]),
  ]);
  return ref;
}
