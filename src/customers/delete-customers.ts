import type { Tx } from "../db/pool.ts";
import { writeOffBalances } from "../ledger/expiry/write-off-balances.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import type { CustomerRow } from "./customer.ts";
import { deleteWithoutPoints } from "./delete-without-points.ts";

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
  return deleteWithoutPoints(tx, deps, customers);
}
