import type { Db } from "../db/pool.ts";
import { readProgramAsOf } from "../program/read-program-as-of.ts";
import { shownAt, standingAt } from "./balance-snapshot.ts";
import type { ShownBalance } from "./balance-view.ts";
import type { CustomerRef } from "./customer-ref.ts";
import { readBalanceAt } from "./read-balance-at.ts";

/** The balance that a customer was shown at a moment, by the settings that were valid then; undefined: there is no balance. */
export async function readShownAt(
  db: Db,
  customer: CustomerRef & { readonly storefrontId: string },
  at: Temporal.Instant,
): Promise<ShownBalance | undefined> {
  return db.snapshot(async (tx) => {
    const [balance, program] = await Promise.all([
      readBalanceAt(tx, customer, { at, newest: false }),
      readProgramAsOf(tx, at),
    ]);
    if (balance === undefined) return undefined;
    const rules = { ...program.expiration, timeZone: program.store.timeZone };
    return shownAt(customer.storefrontId, standingAt(balance, rules, at), rules);
  });
}
