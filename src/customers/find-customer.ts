import type { Queryable } from "../db/pool.ts";
import { Problem } from "../problems.ts";
import type { CustomerRow } from "./customer.ts";
import { findShownCustomer } from "./find-shown-customer.ts";

/**
 * Returns the customer that a request names (program.md 1), like `findShownCustomer`, but not a deleted one. Throws `customer_not_found` (404),
 * `ambiguous_email` (409).
 */
export async function findCustomer(queryable: Queryable, named: string): Promise<CustomerRow> {
  const customer = await findShownCustomer(queryable, named);
  if (customer.deletedAt !== null) throw new Problem("customer_not_found");
  return customer;
}
