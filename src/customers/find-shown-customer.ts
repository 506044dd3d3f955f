import type { Queryable } from "../db/pool.ts";
import { Problem } from "../problems.ts";
import type { CustomerRow } from "./customer.ts";
import { selectNamed } from "./customer-queries.ts";

/**
 * Returns the customer that a text names, like `selectNamed`, including deleted ones, whose ledger stays. The id of a merged customer leads
 * to the surviving one. Throws `customer_not_found` (404) if there is none, `ambiguous_email` (409) if it names two.
 */
export async function findShownCustomer(queryable: Queryable, named: string): Promise<CustomerRow> {
  const [customer, another] = await selectNamed(queryable, named);
  if (another !== undefined) throw new Problem("ambiguous_email");
  if (customer === undefined) throw new Problem("customer_not_found");
  return customer;
}
