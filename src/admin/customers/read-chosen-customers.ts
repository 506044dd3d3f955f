import { selectByStorefrontIds } from "../../customers/customer-queries.ts";
import type { ReadDeps } from "../../deps.ts";
import { readBalances } from "../../ledger/read/read-balances.ts";
import { readProgram } from "../../program/read-program.ts";
import type { CustomersPage } from "./list-customers.ts";
import { selectListedCustomers } from "./queries.ts";

type ChosenCustomers = Pick<CustomersPage, "rows" | "balances" | "program">;

/** Returns the customers with these ids as a list shows them, each once. The id of a merged customer is the surviving one's; unknown ids are left out. */
export async function readChosenCustomers(
  deps: Pick<ReadDeps, "db" | "clock">,
  ids: readonly string[],
): Promise<ChosenCustomers> {
  return deps.db.snapshot(async (tx) => {
    const program = await readProgram(tx);
    const known = await selectByStorefrontIds(tx, [...new Set(ids)]);
    const refs = new Map([...known.values()].map((ref) => [ref.customerUid, ref]));
    const rows = await selectListedCustomers(tx, [...refs.values()]);
    return { rows, balances: await readBalances(deps, tx, rows), program };
  });
}
