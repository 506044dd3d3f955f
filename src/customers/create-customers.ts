import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { insertCustomers } from "./insert-customers.ts";
import { openCustomers } from "./open-customers.ts";

/** Creates customers with only a storefront id, each named once, with empty balances. */
export async function createCustomers(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  storefrontIds: readonly string[],
): Promise<void> {
  const made = await openCustomers(tx, deps, storefrontIds);
  await insertCustomers(tx, [...made.values()]);
}
