import type { Tx } from "../db/pool.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import type { CustomerRow } from "./customer.ts";
import { deleteCustomers } from "./delete-customers.ts";
import { upsertCustomer } from "./upsert-customer.ts";

/**
 * Deletes a customer whom the platform deleted, like `deleteCustomers`. Repeating it changes nothing. An unknown id becomes a deleted
 * customer, so that late events do not restore the customer. The id of a customer who has been merged into another is not deleted.
 */
export async function deleteCustomer(
  tx: Tx,
  deps: PostingDeps,
  storefrontId: string,
  appReference: string,
): Promise<CustomerRow> {
  const { customer } = await upsertCustomer(tx, deps, { storefrontId });
  if (customer.deletedAt !== null || customer.storefrontId !== storefrontId) return customer;
  const [deleted] = await deleteCustomers(tx, deps, [customer], appReference);
  return deleted ?? customer;
}
