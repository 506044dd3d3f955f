import { readOpenCoupons } from "../coupons/read-open-coupons.ts";
import { selectByStorefrontId } from "../customers/customer-queries.ts";
import type { Deps } from "../deps.ts";
import { readBalances } from "../ledger/read/read-balances.ts";
import { readExpiries } from "../points/balances/read-expiries.ts";
import { Problem } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";
import { readTier } from "../tiers/read-tier.ts";
import { newCustomerSummary, type Summary } from "./summary.ts";

const EXPIRIES_SHOWN = 3;
const COUPONS_SHOWN = 10;

/**
 * Returns the summary that a storefront shows the customer with an id. An unknown or deleted customer has the summary of a new one, so that a page
 * cannot find out whether somebody is a customer.
 */
export async function readSummary(deps: Pick<Deps, "db" | "clock">, customerId: string): Promise<Summary> {
  const program = await readProgram(deps.db);
  const now = deps.clock.now();
  const customer = await selectByStorefrontId(deps.db, customerId);
  if (customer === undefined || customer.deletedAt !== null) return newCustomerSummary(program, now);
  try {
    const [balances, expiries, record, coupons] = await Promise.all([
      readBalances(deps, deps.db, [customer]),
      readExpiries(deps, customer),
      readTier(deps, customerId),
      readOpenCoupons(deps.db, customer, { now, limit: COUPONS_SHOWN }),
    ]);
    const points = balances.get(customer.customerUid)?.points ?? 0n;
    const { tier, advancement, spent } = record;
    return { program, points, expiries: expiries.slice(0, EXPIRIES_SHOWN), tier, advancement, spent, coupons };
  } catch (error) {
    // deleted in between
    if (error instanceof Problem && error.code === "customer_not_found") return newCustomerSummary(program, now);
    throw error;
  }
}
