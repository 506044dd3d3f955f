import type { Tx } from "../db/pool.ts";
import { refKeys } from "../ledger/customer-ref.ts";
import type { PostingDeps } from "../ledger/posting-batch.ts";
import { writeOffBalances } from "../ledger/write-off-balances.ts";
import type { CustomerRow } from "./customer.ts";
import { deleteNotesOf } from "./note-queries.ts";
import { deleteStatementsOf } from "./tag-queries.ts";

/** Also closes their balances (migration 0079). */
const DELETE = "select delete_customers($1::smallint[], $2::uuid[], $3)";

// On Citus, where no statement can write both a customer and a balance: a trigger closes each balance.
const DELETE_DISTRIBUTED = `update customer c
set email = null,
  name = null,
  birthday = null,
  tags = null,
  deleted_at = $3
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where c.bucket = k.bucket
  and c.customer_uid = k.customer_uid
  and c.deleted_at is null`;

/**
 * Deletes existing customers: writes their balances off (type `deletion`, program.md 3; reservations are released first, except holds that
 * only their creator can end) and erases personal data, but not the ledger. `appReference` names the sender. Returns the customers as they
 * are afterwards.
 */
export async function deleteCustomers(
  tx: Tx,
  deps: PostingDeps,
  customers: readonly CustomerRow[],
  appReference: string,
): Promise<CustomerRow[]> {
  if (customers.length === 0) return [];
  await writeOffBalances(tx, deps, customers, { appReference, after: null });
  const deletedAt = deps.clock.now();
  await tx.execute(tx.shards === null ? DELETE : DELETE_DISTRIBUTED, [...refKeys(customers), deletedAt]);
  await deleteStatementsOf(tx, customers);
  await deleteNotesOf(tx, customers);
  return customers.map((customer) => ({ ...customer, email: null, name: null, birthday: null, tags: null, deletedAt }));
}
