import { type CustomerRequest, selectWaitingOf } from "../../adjustments/request-queries.ts";
import type { CustomerRow } from "../../customers/customer.ts";
import { selectCustomers } from "../../customers/customer-queries.ts";
import { findShownCustomer } from "../../customers/find-shown-customer.ts";
import { countNotes } from "../../customers/notes/note-queries.ts";
import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { readMerged } from "../../ledger/merge/merge-queries.ts";
import { readUpcoming, type UpcomingBalance } from "../../ledger/read/read-upcoming.ts";
import { readProgram } from "../../program/read-program.ts";
import { type CustomerSales, readCustomerSales } from "../../sales/read-customer-sales.ts";
import { readTier, type TierRecord } from "../../tiers/read-tier.ts";

/** The data in the head of a customer's page. */
export interface CustomerPage {
  readonly customer: CustomerRow;
  readonly settled: UpcomingBalance;
  readonly delayMonths: number | null;
  /** Null: the customer was deleted. */
  readonly tier: TierRecord | null;
  /** The customers who were merged into this one. */
  readonly merged: readonly CustomerRow[];
  readonly waiting: readonly CustomerRequest[];
  readonly sales: CustomerSales;
  /** The number of notes about the customer. */
  readonly notes: number;
}

/** Reads a customer's page as of now. Throws `customer_not_found`, `ambiguous_email`. */
export async function readCustomer(deps: Pick<Deps, "db" | "clock">, named: string): Promise<CustomerPage> {
  const page = await deps.db.snapshot(async (tx) => {
    const customer = await findShownCustomer(tx, named);
    return { customer, ...(await readParts(tx, deps, customer)) };
  });
  const { customer } = page;
  return { ...page, tier: customer.deletedAt === null ? await readTier(deps, customer.storefrontId) : null };
}

async function readParts(tx: Tx, deps: Pick<Deps, "clock">, customer: CustomerRow) {
  const now = deps.clock.now();
  const { expiration, store } = await readProgram(tx);
  const rules = { ...expiration, timeZone: store.timeZone };
  const [settled, mergedRefs, waiting, notes] = await Promise.all([
    readUpcoming(tx, customer, rules, now),
    readMerged(tx, customer),
    selectWaitingOf(tx, customer, now),
    countNotes(tx, customer),
  ]);
  if (settled === undefined) throw new Error(`customer ${customer.customerUid} has no balance`);
  const [merged, sales] = await Promise.all([
    selectCustomers(tx, mergedRefs),
    readCustomerSales(tx, [customer, ...mergedRefs]),
  ]);
  return { settled, delayMonths: rules.delayMonths, merged, waiting, notes, sales };
}
