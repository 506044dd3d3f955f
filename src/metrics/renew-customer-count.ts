import type { Deps } from "../deps.ts";
import { countStoreCustomers } from "./count-store-customers.ts";
import { FEW_CUSTOMERS, selectCount } from "./metric-queries.ts";

/** A count is old when the store's clock has advanced by this since; it is more than the interval of the job that counts. */
const OLD_MINUTES = 15;

/**
 * Counts customers again where the count is old by the store's clock (a sandbox can advance it by months within seconds), or where the
 * store was small. Returns whether it counted.
 */
export async function renewCustomerCount(deps: Pick<Deps, "db" | "clock">): Promise<boolean> {
  const count = await selectCount(deps.db);
  const isFresh =
    count !== null &&
    count.customers >= FEW_CUSTOMERS &&
    Math.abs(count.countedAt.until(deps.clock.now()).total("minutes")) < OLD_MINUTES;
  if (!isFresh) await countStoreCustomers(deps);
  return !isFresh;
}
