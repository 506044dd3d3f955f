import { selectByStorefrontId, selectCustomers } from "../customers/customer-queries.ts";
import type { Queryable } from "../db/pool.ts";
import { readMerged } from "../ledger/merge/merge-queries.ts";
import type { CustomerDeleted } from "../platforms/neutral-events.ts";
import { redactedRows } from "./redacted-rows.ts";
import { selectOpenOrders } from "./redaction-queries.ts";

/**
 * Returns the subjects whose earlier receipts are processed before a redaction, with all tries: its customer, who may have been merged into somebody
 * living, which it would end with their points, those who were merged into this one, the orders that it names, and the customer's orders.
 */
export async function readRedactedSubjects(
  tx: Queryable,
  { customerId, ordersToRedact = [] }: Pick<CustomerDeleted["payload"], "customerId" | "ordersToRedact">,
): Promise<readonly string[]> {
  const named = [`customer/${customerId}`, ...ordersToRedact.map((id) => `order/${id}`)];
  const customer = await selectByStorefrontId(tx, customerId);
  if (customer === undefined) return named;
  const merged = await selectCustomers(tx, await readMerged(tx, customer));
  const rows = redactedRows(customer, merged, customerId);
  const ids = rows.map(({ storefrontId }) => `customer/${storefrontId}`);
  return [...new Set([...named, ...ids, ...(await selectOpenOrders(tx, rows))])];
}
