import { findCustomer } from "../../customers/find-customer.ts";
import type { Deps } from "../../deps.ts";
import type { ShownBalance } from "../../ledger/balance-view.ts";
import { readBalances } from "../../ledger/read-balances.ts";
import { readShownAt } from "../../ledger/read-shown-at.ts";
import { Problem } from "../../problems.ts";
import { readAsOf } from "../../program/read-as-of.ts";

/**
 * The balance of the customer that a request names (interface.md 4.5), now or as it was at `asOf`. Throws `customer_not_found`, also for a
 * moment before the customer came, `ambiguous_email`, `invalid` for a moment that cannot be read or is to come.
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
