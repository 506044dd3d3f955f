import type { CustomerRow } from "../customers/customer.ts";
import { selectByStorefrontId, selectCustomers } from "../customers/customer-queries.ts";
import { deleteCustomer } from "../customers/delete-customer.ts";
import type { Tx } from "../db/pool.ts";
import { readMerged } from "../ledger/merge-queries.ts";
import type { PostingDeps } from "../ledger/posting-batch.ts";
import { erasePerson } from "../privacy/erase-person.ts";
import { eraseReceipts } from "./erase-receipts.ts";

/**
 * Erases a customer's personal data everywhere, and deletes the customer where nobody did before (platforms.md 1.1). An id that was
 * merged into another customer is erased alone: the survivor lives on. Again, nothing happens but to what came meanwhile.
 */
export async function redactCustomer(
  tx: Tx,
  deps: PostingDeps,
  named: { readonly customerId: string; readonly ordersToRedact?: readonly string[]; readonly appReference: string },
): Promise<void> {
  const { customerId, ordersToRedact: orderIds = [] } = named;
  const before = await selectByStorefrontId(tx, customerId);
  const emails = before?.storefrontId === customerId && before.email !== null ? [before.email] : [];
  const customer = await deleteCustomer(tx, deps, customerId, named.appReference);
  const merged = await selectCustomers(tx, await readMerged(tx, customer));
  const rows = customer.storefrontId === customerId ? [customer, ...merged] : merged.filter(isNamed(customerId));
  const orders = await erasePerson(tx, deps, { rows, orderIds, emails });
  await eraseReceipts(tx, {
    storefrontIds: [customerId, ...rows.map(({ storefrontId }) => storefrontId)],
    orderIds: [...orderIds, ...orders.orderIds],
    emails: [...emails, ...orders.emails],
  });
}

function isNamed(id: string): (row: CustomerRow) => boolean {
  return ({ storefrontId }) => storefrontId === id;
}
