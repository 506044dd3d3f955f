import type { CustomerRow } from "../../customers/customer.ts";
import { selectNamed } from "../../customers/customer-queries.ts";
import type { Queryable } from "../../db/pool.ts";
import { Problem } from "../../problems.ts";

/**
 * The customer that a page is about, deleted ones too: their ledger stays. The id of a merged customer leads to the surviving one.
 * Throws `customer_not_found`, `ambiguous_email`.
 */
export async function findShownCustomer(queryable: Queryable, named: string): Promise<CustomerRow> {
  const [customer, another] = await selectNamed(queryable, named);
  if (another !== undefined) throw new Problem("ambiguous_email");
  if (customer === undefined) throw new Problem("customer_not_found");
  return customer;
}
