import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { writeOffBalance } from "../ledger/write-off-balance.ts";
import type { CustomerRow } from "./customer.ts";
import { forgetNotes } from "./note-queries.ts";
import { forgetStatements } from "./tag-queries.ts";
import { upsertCustomer } from "./upsert-customer.ts";

const ERASE = `update customer
set email = null,
  name = null,
  birthday = null,
  tags = null,
  deleted_at = $3
where bucket = $1
  and customer_uid = $2
  and deleted_at is null`;

/**
 * Deletes a customer whom the platform deleted: writes the balance off (type `deletion`, program.md 3; reservations are released
 * before, but for holds that only their maker ends) and forgets the person, but not the ledger. Again, nothing happens. An id not
 * known yet becomes a deleted customer, so that late events do not restore the customer. The id of a customer who has been merged
 * into another is not deleted. `appReference` names the sender.
 */
export async function deleteCustomer(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "wake" | "config" | "secretBox">,
  storefrontId: string,
  appReference: string,
): Promise<CustomerRow> {
  const { customer } = await upsertCustomer(tx, deps, { storefrontId });
  if (customer.deletedAt !== null || customer.storefrontId !== storefrontId) return customer;
  await writeOffBalance(tx, deps, customer, { appReference, after: null });
  const deletedAt = deps.clock.now();
  await tx.execute(ERASE, [customer.bucket, customer.customerUid, deletedAt]);
  await forgetStatements(tx, [customer]);
  await forgetNotes(tx, [customer]);
  return { ...customer, email: null, name: null, birthday: null, tags: null, deletedAt };
}
