import type { Queryable } from "../db/pool.ts";
import { Problem } from "../problems.ts";
import type { CustomerRow } from "./customer.ts";
import { selectNamed } from "./customer-queries.ts";

/**
 * The customer that a request names (program.md 1), as `selectNamed`.
 * Throws `customer_not_found` (404) where there is none or it was deleted, `ambiguous_email` (409) where it names two.
 */
export async function findCustomer(queryable: Queryable, named: string): Promise<CustomerRow> {
  const [customer, another] = await selectNamed(queryable, named);
  if (another !== undefined) throw new Problem("ambiguous_email");
  if (customer === undefined || customer.deletedAt !== null) throw new Problem("customer_not_found");
  return customer;
}
