import type { Deps } from "../../deps.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import type { Expiry, ExpiryRules } from "../../ledger/expiry/expiry.ts";
import { readUpcoming } from "../../ledger/read/read-upcoming.ts";
import { readProgram } from "../../program/read-program.ts";

/** Returns the upcoming expiries of a customer as of now, soonest first; empty if nothing expires (program.md 5). */
export async function readExpiries(
  deps: Pick<Deps, "clock" | "db">,
  customer: CustomerRef,
): Promise<readonly Expiry[]> {
  const { expiration, store } = await readProgram(deps.db);
  const rules: ExpiryRules = { ...expiration, timeZone: store.timeZone };
  return (await readUpcoming(deps.db, customer, rules, deps.clock.now()))?.expiries ?? [];
}
