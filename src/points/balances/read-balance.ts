import { findCustomer } from "../../customers/find-customer.ts";
import type { Db } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import type { ExpiryRules } from "../../ledger/expiry/expiry.ts";
import { type BalanceSnapshot, snapshotAt } from "../../ledger/read/balance-snapshot.ts";
import { readBalanceAt } from "../../ledger/read/read-balance-at.ts";
import { readBalances, type ShownBalance } from "../../ledger/read/read-balances.ts";
import { Problem } from "../../problems.ts";
import { readAsOf } from "../../program/read-as-of.ts";
import { readProgramAsOf } from "../../program/read-program-as-of.ts";

/**
 * Returns the balance of the customer that a request names (interface.md 4.5), now or at `asOf`. Throws `customer_not_found`, also for a
 * moment before the customer existed, `ambiguous_email`, and `invalid` for a moment that cannot be parsed or is in the future.
 */
export async function readBalance(
  deps: Pick<Deps, "db" | "clock">,
  named: string,
  asOf: string | undefined,
): Promise<ShownBalance> {
  const at = await readAsOf(deps.db, { text: asOf, parameter: "as_of", now: deps.clock.now() });
  const customer = await findCustomer(deps.db, named);
  const isBefore = at !== null && Temporal.Instant.compare(at, customer.createdAt) < 0;
  const balance =
    at === null
      ? (await readBalances(deps, deps.db, [customer])).get(customer.customerUid)
      : await readShownAt(deps.db, customer, at);
  if (balance === undefined || isBefore) throw new Problem("customer_not_found");
  return balance;
}

/** Returns the balance that a customer was shown at a moment, by the settings of that time; undefined: there is no balance. */
async function readShownAt(
  db: Db,
  customer: CustomerRef & { readonly storefrontId: string },
  at: Temporal.Instant,
): Promise<ShownBalance | undefined> {
  return db.snapshot(async (tx) => {
    const program = await readProgramAsOf(tx, at);
    const rules = { ...program.expiration, timeZone: program.store.timeZone };
    const balance = await readBalanceAt(tx, customer, { at, newest: false, rules });
    return balance && shownAt(customer.storefrontId, snapshotAt(balance, rules, at), rules);
  });
}

function shownAt(
  storefrontId: string,
  { available, expiresAt }: BalanceSnapshot,
  { delayMonths }: Pick<ExpiryRules, "delayMonths">,
): ShownBalance {
  return { storefrontId, delayMonths, expiresAt, points: available, owed: null };
}
