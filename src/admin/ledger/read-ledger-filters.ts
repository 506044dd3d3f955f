import { selectNamed } from "../../customers/customer-queries.ts";
import type { Queryable } from "../../db/pool.ts";
import { Problem } from "../../problems.ts";
import { readProgram } from "../../program/read-program.ts";
import { type LedgerFilters, parseLedgerFilters } from "./filters.ts";
import type { LedgerFilterQuery } from "./schema.ts";

/** Reads the filters of a query: finds the customer, and reads dates in the store's zone. Throws `invalid` with every fault. */
export async function readLedgerFilters(db: Queryable, query: LedgerFilterQuery): Promise<LedgerFilters> {
  const { store } = await readProgram(db);
  const filters = parseLedgerFilters(query, store.timeZone);
  if ("faults" in filters) throw new Problem("invalid", filters);
  if (query.customer === undefined) return { ...filters, customer: null };
  const [customer, another] = await selectNamed(db, query.customer);
  if (customer === undefined) throw customerFault("expected the id or e-mail of a customer");
  if (another !== undefined) throw customerFault("more than one customer has this e-mail: expected an id");
  return { ...filters, customer: { bucket: customer.bucket, customerUid: customer.customerUid } };
}

function customerFault(detail: string): Problem {
  return new Problem("invalid", { faults: [{ parameter: "customer", detail }] });
}
