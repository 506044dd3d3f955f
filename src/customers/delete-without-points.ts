import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { refKeys } from "../ledger/customer-ref.ts";
import { readMergedInto } from "../ledger/merge/merge-queries.ts";
import type { CustomerRow } from "./customer.ts";
import { deleteNotesOf } from "./notes/note-queries.ts";
import { deleteStatementsOf } from "./tags/tag-queries.ts";

/** Also closes their balances (migration 0079). */
const DELETE = "select delete_customers($1::smallint[], $2::uuid[], $3)";

// On Citus, where no statement can write both a customer and a balance: a trigger closes each balance.
const DELETE_DISTRIBUTED = `update customer c
set email = null,
  name = null,
  name_reading = null,
  birthday = null,
  tags = null,
  deleted_at = $3
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where c.bucket = k.bucket
  and c.customer_uid = k.customer_uid
  and c.deleted_at is null`;

/**
 * Deletes existing customers whose balances are locked and have no points, held ones included: erases personal data, but not the ledger. For any
 * others use `deleteCustomers`. Returns the customers as they are afterwards.
 */
export async function deleteWithoutPoints(
  tx: Tx,
  deps: Pick<Deps, "clock">,
  customers: readonly CustomerRow[],
): Promise<CustomerRow[]> {
  if (customers.length === 0) return [];
  const deletedAt = deps.clock.now();
  await tx.execute(tx.shards === null ? DELETE : DELETE_DISTRIBUTED, [...refKeys(customers), deletedAt]);
  await deleteStatementsOf(tx, [...customers, ...(await readMergedInto(tx, customers))]);
  await deleteNotesOf(tx, customers);
  const erased = { email: null, name: null, nameReading: null, birthday: null, tags: null };
  return customers.map((customer) => ({ ...customer, ...erased, deletedAt }));
}
